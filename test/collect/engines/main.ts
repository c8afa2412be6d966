/**
 * The engines as a process of their own, which outlives the scans that ask them:
 *
 *     node test/collect/engines/main.ts --ledger ledger.ndjson --script script.json --port 0
 *
 * Prints its address. `GET /ledger` tells what was asked and bought, `PUT /script` gives it another script.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Script } from './script.ts'
import { Engines } from './server.ts'

const { values } = parseArgs({
  options: {
    ledger: { type: 'string' },
    script: { type: 'string' },
    port: { type: 'string', default: '0' },
    'keep-bodies': { type: 'boolean', default: false },
  },
})
const engines = await Engines.start({
  ...(values.ledger === undefined ? {} : { ledger: values.ledger }),
  ...(values.script === undefined ? {} : { script: JSON.parse(readFileSync(values.script, 'utf8')) as Script }),
  port: Number(values.port),
  keepsBodies: values['keep-bodies'],
})
console.log(engines.url)
