import type { Provider, Target } from '../src/collect/providers/provider.ts'
import type { SecretState } from '../src/read-secret.ts'
import { toScanConfigPath } from '../src/collect/scan-config.ts'
import { toDollars } from '../src/collect/micros.ts'
import { toDataDir } from '../src/config.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { printJson, printLine, printNote } from './io.ts'
import { printTable } from './table.ts'
import { toUsd } from './usd.ts'

/** A prompt of ordinary length, for prices. */
const ORDINARY_PROMPT = 'What is the best project management tool for small teams?'

export const targets = defineCommand({
  summary: 'Show whom `scan` asks, what a call costs, and whether there is a secret for it',
  notes: [
    'Targets stand in scan.json of the data directory; without it nothing is asked. A secret itself is never shown. Prices are those of data/provider_prices.json for a prompt of ordinary length.',
  ],
  args: JSON_FLAG,
  examples: ['scan targets', 'scan targets --json'],
  async run({ args, io, environment, dataDir: given }) {
    const [{ readScanSetup }, { getProvider }, { toPace }] = await Promise.all([
      import('../src/collect/scan-setup.ts'),
      import('../src/collect/providers/index.ts'),
      import('../src/collect/targets.ts'),
    ])
    const dataDir = toDataDir(given)
    const setup = await readScanSetup(dataDir, environment)
    const lines = (setup?.targets ?? []).map((target) => {
      const provider = getProvider(target.provider)
      return {
        target,
        provider,
        price: provider.price({ prompt: ORDINARY_PROMPT, market: null, place: undefined, target }),
        perMinute: setup === undefined ? 0 : toPace(setup.config, provider).perMinute,
        secret: setup?.secrets.find(target.provider) ?? { kind: 'missing', variable: '' },
      }
    })
    if (args.json) return printJson(io, { data: lines.map(toJson) })
    printTable(
      io,
      ['target', 'engine', 'provider', 'model', 'role', 'usd a call', 'at once', 'a minute', 'secret'],
      lines.map(({ target, price, perMinute, secret }) => [
        target.id,
        target.engine,
        target.provider,
        target.model ?? null,
        target.role,
        `${toUsd(price.lowMicros)} to ${toUsd(price.highMicros)}`,
        target.concurrency,
        perMinute,
        describeSecret(secret),
      ]),
    )
    const providers = new Map(lines.map(({ provider }) => [provider.id, provider]))
    for (const { name, terms } of providers.values()) printLine(io, `${name}: ${terms}`)
    if (lines.length === 0) {
      printNote(io, `No targets are configured, so nothing is asked. Write ${toScanConfigPath(dataDir)}, such as:`)
      printNote(io, '  {"targets": ["chatgpt=openai", "perplexity=perplexity"], "budget": {"usd_day": 5}}')
    }
  },
})

interface Line {
  readonly target: Target
  readonly provider: Provider
  readonly price: { readonly lowMicros: number; readonly highMicros: number }
  readonly perMinute: number
  readonly secret: SecretState
}

function toJson({ target, provider, price, perMinute, secret }: Line): object {
  return {
    id: target.id,
    engine: target.engine,
    provider: target.provider,
    model: target.model ?? null,
    role: target.role,
    base_url: target.baseUrl,
    concurrency: target.concurrency,
    per_minute: perMinute,
    cost_usd_low: toDollars(price.lowMicros),
    cost_usd_high: toDollars(price.highMicros),
    terms: provider.terms,
    secret: {
      status: secret.kind,
      where: secret.kind === 'missing' ? null : secret.where,
      reason: secret.kind === 'unusable' ? secret.reason : null,
    },
  }
}

function describeSecret(secret: SecretState): string {
  switch (secret.kind) {
    case 'there':
      return 'yes'
    case 'missing':
      return `no: set ${secret.variable}`
    case 'unusable':
      return `no: ${secret.where}: ${secret.reason}`
  }
}
