/**
 * Reports over hardly any rows, many at once, which lose races inside DuckDB when anything does:
 *
 *     node test/faults/small-reports.ts --requests 5000
 */
import { parseArgs } from 'node:util'
import { runSmallReports } from './support/small-reports.ts'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '5000' } } })
const { wrong, requests } = await runSmallReports({ requests: Number(values.requests) })
for (const line of wrong) console.error(line)
console.log(JSON.stringify({ requests, wrong: wrong.length }))
process.exitCode = wrong.length === 0 ? 0 : 1
