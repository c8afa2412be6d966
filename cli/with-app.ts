import { toActor } from '../src/actor.ts'
import { readConfig, type SettingFlags } from '../src/config.ts'
import type { App } from '../src/app.ts'
import { NoRoomError } from '../src/catalog/store.ts'
import type { Site } from '../src/domain/site.ts'
import type { Context } from './command.ts'

type World = Pick<Context, 'dataDir' | 'clock' | 'environment'>

/** Runs work on the whole program over the data directory, which must exist unless `create` makes it. */
export async function withApp<T>(
  { dataDir, clock, environment }: World,
  work: (app: App) => Promise<T>,
  options: { create?: boolean; mode?: 'server' | 'command'; flags?: SettingFlags } = {},
): Promise<T> {
  const { create = false, mode = 'command', flags = {} } = options
  const [config, { openApp }] = await Promise.all([
    readConfig({ dataDir, environment, flags }),
    import('../src/app.ts'),
  ])
  const actor = toActor(environment.SUDO_USER)
  const open = (): Promise<App> => openApp(config, { mode, create, clock, actor, environment })
  await using app = await open().catch(async (error: unknown) => {
    if (!(error instanceof NoRoomError)) throw error
    const { freeBallast } = await import('../src/maintenance/ballast.ts')
    await freeBallast(config.dataDir)
    return open()
  })
  return await work(app)
}

/** Runs work on the whole program and one of its sites, named by id or domain. Refuses an unknown one. */
export function withAppAndSite<T>(
  world: World,
  idOrDomain: string,
  work: (app: App, site: Site) => Promise<T>,
): Promise<T> {
  return withApp(world, (app) => work(app, app.catalog.sites.get(idOrDomain)))
}
