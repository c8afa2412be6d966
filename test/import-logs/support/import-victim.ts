/** A process that imports a log and may be killed: `node import-victim.ts DATA_DIR FILE…`. */
import { importLogs } from '../../../src/import-logs/import-logs.ts'
import { openData } from './log-site.ts'

const [dataDir = '', ...files] = process.argv.slice(2)
await using app = await openData(dataDir)
const site = app.catalog.sites.get('site')
process.stdout.write('importing\n')
await importLogs(app.change, { site, files, format: 'combined', dryRun: false, strict: true })
process.stdout.write('done\n')
