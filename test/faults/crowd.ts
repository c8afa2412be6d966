/**
 * Many importers of overlapping files beside a server under load:
 *
 *     node test/faults/crowd.ts --seconds 120
 */
import { parseArgs } from 'node:util'
import { runCrowd } from './support/crowd.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } } })
const { wrong, ...result } = await runCrowd({ importers: 8, clients: 4, seconds: Number(values.seconds) })
for (const line of wrong) console.error(line)
console.log(JSON.stringify({ ...result, wrong: wrong.length }))
process.exitCode = wrong.length === 0 ? 0 : 1
