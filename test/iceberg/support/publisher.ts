/** Publishes the lake of a data directory: a process to be killed. */
import { openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { publishLake } from '../../../src/iceberg/publish.ts'

const [dataDir = '', directory = ''] = process.argv.slice(2)
await using app = await openApp(parseConfig({ dataDir, environment: {} }, {}, ''), { mode: 'command' })
process.stdout.write('publishing\n')
await publishLake(app.change, { directory, graceMs: 3_600_000 })
