import type { Prompts } from '../catalog/prompts.ts'
import type { EngineId } from '../domain/enums.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Site } from '../domain/site.ts'
import { CommandError } from '../errors.ts'
import { findMarket } from '../reference/markets.ts'
import { planScan, type ScanPlan } from './plan.ts'
import { getProvider } from './providers/index.ts'
import type { Target } from './providers/provider.ts'
import { readScanConfig, type ScanConfig, toScanConfigPath } from './scan-config.ts'
import { readSecrets, type Secrets } from './secrets.ts'
import { resolveTargets, toPace } from './targets.ts'

/** Everything that decides what may be asked, checked. */
export interface ScanSetup {
  readonly config: ScanConfig
  readonly targets: readonly Target[]
  readonly secrets: Secrets
}

/**
 * Reads `scan.json` and the secrets. Undefined where there is no `scan.json`. Throws CommandError for one that can't be used.
 */
export async function readScanSetup(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ScanSetup | undefined> {
  const config = await readScanConfig(dataDir)
  if (config === undefined) return undefined
  return { config, targets: resolveTargets(config), secrets: await readSecrets(environment) }
}

/** The same for commands that ask. Throws CommandError too where no target is configured. */
export async function requireScanSetup(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ScanSetup> {
  const setup = await readScanSetup(dataDir, environment)
  if (setup !== undefined && setup.targets.length > 0) return setup
  throw new CommandError(
    `No targets are configured, so nothing is asked. Write ${toScanConfigPath(dataDir)}, such as:`,
    {
      faults: ['{"targets": ["chatgpt=openai", "perplexity=perplexity"], "budget": {"usd_day": 5}}'],
    },
  )
}

export interface SitePlanRequest {
  readonly site: Site
  /** UTC day, `YYYY-MM-DD`. */
  readonly day: string
  /** Decides the order of the calls. */
  readonly seed: number
  /** Engines that are switched off in the settings. */
  readonly enginesOff: readonly EngineId[]
  /** Ids of prompts; all active ones without it. */
  readonly promptIds?: readonly string[] | undefined
  readonly platforms?: readonly EngineId[] | undefined
  readonly samples?: number | undefined
}

/** Plans a scan of a site as it is set up. Throws CommandError for a prompt that the site doesn't have or that is disabled. */
export function planSite(
  { config, targets, secrets }: ScanSetup,
  prompts: Prompts,
  request: SitePlanRequest,
): ScanPlan {
  const { site, platforms, promptIds, enginesOff } = request
  return planScan({
    site,
    prompts:
      promptIds === undefined ? prompts.list(site.id, { status: 'active' }).prompts : pick(site, prompts, promptIds),
    targets: platforms === undefined ? targets : targets.filter(({ engine }) => platforms.includes(engine)),
    samples: request.samples ?? config.samples,
    day: request.day,
    seed: request.seed,
    getProvider,
    toPace: (id) => toPace(config, getProvider(id)),
    findMarket,
    refuses({ engine, provider }) {
      if (enginesOff.includes(engine)) return `${engine} is switched off (engines_off)`
      return describeMissingSecret(secrets, provider)
    },
  })
}

/** Why a provider can't be asked for want of its secret; undefined when there is one. */
export function describeMissingSecret(secrets: Secrets, provider: Target['provider']): string | undefined {
  const state = secrets.find(provider)
  switch (state.kind) {
    case 'there':
      return undefined
    case 'missing':
      return `there is no secret for ${provider}: set ${state.variable}`
    case 'unusable':
      return `the secret for ${provider}, ${state.where}, cannot be used: ${state.reason}`
  }
}

function pick(site: Site, prompts: Prompts, ids: readonly string[]): readonly Prompt[] {
  const found = prompts.listByIds(site.id, ids)
  const faults = ids.flatMap((id) => {
    const prompt = found.find((each) => each.id === id)
    if (prompt === undefined) return [`${site.domain} has no prompt ${id}`]
    return prompt.status === 'active' ? [] : [`${id} is disabled`]
  })
  if (faults.length === 0) return found
  throw new CommandError('Some prompts cannot be asked; `answerlake prompts list` shows them:', { faults })
}
