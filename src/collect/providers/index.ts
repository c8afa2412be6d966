import type { ProviderId } from '../../domain/enums.ts'
import type { Provider } from './provider.ts'

const PROVIDERS: readonly Provider[] = []

/** Everyone who can be asked, in the order of `scan targets`. */
export function listProviders(): readonly Provider[] {
  return PROVIDERS
}

/** Throws an Error for one that isn't there. */
export function getProvider(id: ProviderId): Provider {
  const provider = PROVIDERS.find((each) => each.id === id)
  if (provider === undefined) throw new Error(`there is no provider ${id}`)
  return provider
}
