import type { ProviderId } from '../domain/enums.ts'
import { CommandError } from '../errors.ts'
import { defaultModel, hasModels } from '../reference/provider-prices.ts'
import { getProvider } from './providers/index.ts'
import type { Provider, Target } from './providers/provider.ts'
import type { ConfiguredTarget, ScanConfig } from './scan-config.ts'

/** How fast a provider is asked. */
export interface Pace {
  /** Calls under way at once. */
  readonly concurrency: number
  /** Calls begun within a minute. */
  readonly perMinute: number
}

/** Calls under way at once at one provider, where `scan.json` doesn't say. */
const CONCURRENCY_DEFAULT = 4

/**
 * The targets of a `scan.json` in its order, held against what their providers can do. Throws CommandError that names the
 * file and each fault.
 */
export function resolveTargets(
  config: ScanConfig,
  find: (id: ProviderId) => Provider = getProvider,
): readonly Target[] {
  const faults = [
    ...config.targets.flatMap((target, index) => findFaults(target, `targets.${index}`, config, find(target.provider))),
    ...[...new Set(config.targets.map(({ provider }) => provider))].flatMap((id) => findPaceFaults(config, find(id))),
  ]
  if (faults.length > 0) {
    throw new CommandError(`${config.path} cannot be used; correct this and run the command again:`, { faults })
  }
  return config.targets.map((target) => {
    const provider = find(target.provider)
    const baseUrl = config.providers[target.provider]?.baseUrl ?? provider.defaultBaseUrl ?? ''
    const model = target.model ?? (hasModels(provider.id) ? defaultModel(provider.id) : undefined)
    return { ...target, model, baseUrl, concurrency: toPace(config, provider).concurrency }
  })
}

/** How fast a provider is asked: as `scan.json` says, else within the provider's own limits. */
export function toPace(config: ScanConfig, { id, limits }: Pick<Provider, 'id' | 'limits'>): Pace {
  const own = config.providers[id]
  return {
    concurrency: own?.concurrency ?? Math.min(CONCURRENCY_DEFAULT, limits.concurrency),
    perMinute: own?.perMinute ?? limits.perMinute,
  }
}

function findFaults(target: ConfiguredTarget, path: string, config: ScanConfig, provider: Provider): readonly string[] {
  const faults: string[] = []
  if (!provider.engines.includes(target.engine)) {
    faults.push(
      `${path}.engine: ${provider.name} cannot be asked for ${target.engine}. Use one of ${provider.engines.join(', ')}, or another provider.`,
    )
  }
  if (provider.defaultBaseUrl === undefined && config.providers[provider.id]?.baseUrl === undefined) {
    faults.push(
      `${path}.provider: ${provider.name} needs an address. Add "providers": {"${provider.id}": {"base_url": "https://…"}}.`,
    )
  }
  if (target.model !== undefined && !hasModels(provider.id)) {
    faults.push(`${path}.model: ${provider.name} lets nobody choose a model. Remove it.`)
  }
  if (target.model === undefined && provider.id === 'custom') {
    faults.push(`${path}.model: ${provider.name} has no model of its own to begin with. Name one.`)
  }
  return faults
}

/** A gateway of one's own has limits of its own. */
function findPaceFaults(config: ScanConfig, { id, name, limits }: Provider): readonly string[] {
  const own = config.providers[id]
  return own?.concurrency === undefined || own.baseUrl !== undefined || own.concurrency <= limits.concurrency
    ? []
    : [`providers.${id}.concurrency: ${name} takes at most ${limits.concurrency} calls at once. Use at most that.`]
}
