import { join } from 'node:path'
import { toActor } from '../src/actor.ts'
import type { Catalog } from '../src/catalog/catalog.ts'
import type { Site } from '../src/domain/site.ts'
import { toDataDir } from '../src/config.ts'
import type { Context } from './command.ts'

/** Runs work on the catalog of the data directory, which must exist unless `create` makes it. */
export async function withCatalog<T>(
  { dataDir, clock, environment }: Pick<Context, 'dataDir' | 'clock' | 'environment'>,
  work: (catalog: Catalog) => T | Promise<T>,
  options: { create?: boolean } = {},
): Promise<T> {
  const { openCatalog } = await import('../src/catalog/catalog.ts')
  using catalog = openCatalog(join(toDataDir(dataDir), 'catalog.sqlite'), {
    clock,
    mode: 'command',
    actor: toActor(environment.SUDO_USER),
    ...options,
  })
  return await work(catalog)
}

/** Runs work on the catalog and one of its sites, named by id or domain. Refuses an unknown one. */
export function withSite<T>(
  context: Pick<Context, 'dataDir' | 'clock' | 'environment'>,
  idOrDomain: string,
  work: (catalog: Catalog, site: Site) => T | Promise<T>,
): Promise<T> {
  return withCatalog(context, (catalog) => work(catalog, catalog.sites.get(idOrDomain)))
}
