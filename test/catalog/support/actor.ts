/** One of many processes or threads on a catalog: does what its arguments say and prints what came of it. */
import { workerData } from 'node:worker_threads'
import { openCatalog } from '../../../src/catalog/catalog.ts'
import { ApiError } from '../../../src/errors.ts'
import { retryWhenBusy, type CatalogMode } from '../../../src/catalog/store.ts'

export interface ActorTask {
  readonly path: string
  readonly mode: CatalogMode
  /** `add`: makes the catalog and the site if need be and adds prompts one by one. `activate`: one request a prompt. */
  readonly act: 'add' | 'activate'
  readonly name: string
  readonly siteId: string
  readonly promptIds: readonly string[]
}

const task = (workerData ?? JSON.parse(process.argv[2] ?? '{}')) as ActorTask
const outcomes = await run(task)
process.stdout.write(JSON.stringify(outcomes))

async function run({ path, mode, act, name, siteId, promptIds }: ActorTask): Promise<string[]> {
  using catalog = openCatalog(path, { mode, create: act === 'add' })
  if (act === 'add') {
    catalog.transaction(() => {
      if (!catalog.sites.find(siteId)) catalog.sites.create({ id: siteId, name: 'Acme', domain: 'acme.com' })
    })
    return promptIds.map((id) => {
      const [prompt] = catalog.prompts.add(siteId, [{ id, text: `${name} ${id}?`, category: 'Brand' }]).added
      return String(prompt?.promptNo)
    })
  }
  const done: string[] = []
  for (const id of promptIds) done.push(await activate(() => catalog.prompts.setStatus(siteId, [id], 'active')))
  return done
}

async function activate(work: () => { changed: readonly string[] }): Promise<string> {
  for (;;) {
    try {
      const { changed } = await retryWhenBusy(work)
      return changed.length === 1 ? 'activated' : 'unchanged'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code !== 'overloaded') return error.code
    }
  }
}
