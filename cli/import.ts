import { defineGroup } from './command.ts'
import { importAnswers } from './import-answers.ts'
import { list } from './import-list.ts'
import { importLogs } from './import-logs.ts'
import { undo } from './import-undo.ts'

export const importGroup = defineGroup({
  summary: 'Bring in answers and access logs, list imports, take them back',
  commands: { answers: importAnswers, logs: importLogs, list, undo },
  examples: ['import answers --site acme.com answers.ndjson', 'import logs --site acme.com access.log'],
})
