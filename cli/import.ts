import { defineGroup } from './command.ts'
import { importAnswers } from './import-answers.ts'
import { importLogs } from './import-logs.ts'

export const importGroup = defineGroup({
  summary: 'Bring in answers and access logs',
  commands: { answers: importAnswers, logs: importLogs },
  examples: ['import answers --site acme.com answers.ndjson', 'import logs --site acme.com access.log'],
})
