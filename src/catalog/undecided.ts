import type { Store } from './store.ts'
import type { BrandTable } from './brands.ts'

/** What imports made and nobody has decided anything about since: it goes when its import is taken back and no other uses it. */
export interface Undecided {
  /** Those of the prompts that are as they were made, and that no done or dismissed card is about; each with its id. */
  listPrompts(siteId: string, promptNos: readonly number[]): { readonly promptNo: number; readonly id: string }[]
  /** Those of the competitors that are as they were discovered; each with its name and the answers that list it. */
  listCompetitors(
    siteId: string,
    brandNos: readonly number[],
  ): { readonly brandNo: number; readonly name: string; readonly answers: number }[]
  /** Removes both, inside the undo's commit, where the lists above are to be asked again. */
  remove(siteId: string, numbers: { readonly promptNos: readonly number[]; readonly brandNos: readonly number[] }): void
}

export function openUndecided(store: Store, brands: BrandTable): Undecided {
  const { db } = store
  const selectPrompts = db.prepare<[string, string], { promptNo: number; id: string }>(`
    SELECT prompt_no AS promptNo, id FROM prompts
    WHERE site_id = ? AND prompt_no IN (SELECT value FROM json_each(?)) AND status = 'active' AND updated_at = created_at
      AND NOT EXISTS (
        SELECT 1 FROM cards, json_each(target_prompts) AS target
        WHERE cards.site_id = prompts.site_id AND cards.status <> 'open' AND target.value ->> 'id' = prompts.id
      )
    ORDER BY prompt_no`)
  const selectCompetitors = db.prepare<[string, string], { brandNo: number; name: string; answers: number }>(`
    SELECT brand_no AS brandNo, name, answers FROM competitors
    WHERE site_id = ? AND brand_no IN (SELECT value FROM json_each(?)) AND source = 'discovered' AND confirmed = 0
      AND aliases = '[]' AND exact = '[]' AND domains = '[]'
    ORDER BY brand_no`)
  const deletePrompt = db.prepare<[string, number]>('DELETE FROM prompts WHERE site_id = ? AND prompt_no = ?')
  const deleteCompetitor = db.prepare<[string, number]>('DELETE FROM competitors WHERE site_id = ? AND brand_no = ?')
  return {
    listPrompts: (siteId, promptNos) => store.read(() => selectPrompts.all(siteId, JSON.stringify(promptNos))),
    listCompetitors: (siteId, brandNos) => store.read(() => selectCompetitors.all(siteId, JSON.stringify(brandNos))),
    remove: (siteId, { promptNos, brandNos }) => {
      if (promptNos.length + brandNos.length === 0) return
      store.write(() => {
        for (const promptNo of promptNos) deletePrompt.run(siteId, promptNo)
        for (const brandNo of brandNos) deleteCompetitor.run(siteId, brandNo)
        brands.bumpRev(siteId)
      })
    },
  }
}
