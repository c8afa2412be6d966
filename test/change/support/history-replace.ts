import { addCall, check, type History } from './history-calls.ts'
import { type Held, keyOf, makeRecords } from './history-model.ts'
import type { WorldRecord } from '../../support/oracle/world.ts'

/** One call of `import answers --replace`: new records, others and the same for stored ids, some ids twice. */
export async function replaceRecords({ lake, model, random, name }: History): Promise<void> {
  const before = new Map(model.records.map((held) => [keyOf(held.item), held]))
  const stored = random.shuffle([...before.values()])
  const made = makeRecords(random, name).map((record, index) => {
    const id = random.chance(0.6) ? stored[index]?.item.id : undefined
    const text = random.chance(0.2) ? null : record.text
    return { ...record, text, ...(id !== undefined && { id }) }
  })
  const same = stored.filter(() => random.chance(0.1)).map(({ item, original = item }) => original)
  const items = random.shuffle([...made, ...made.filter(() => random.chance(0.1)).map(withOtherText), ...same])

  const last = new Map(items.map((record) => [keyOf(record), record]))
  const changing = [...last].filter(([key, record]) => !isStored(record, before.get(key)))
  const replaced = changing.filter(([key]) => before.has(key)).length
  const result = await lake.answers(items, { replace: true })
  check('replaced', result.replaced, replaced)
  check(
    'imported and no_answer beside what is replaced',
    result.imported + result.no_answer,
    changing.length - replaced,
  )
  check('duplicates', result.duplicates, items.length - changing.length)
  const call = addCall({ lake, model }, 'answers', items)
  // What was replaced is gone, so that such a call can't be taken back.
  if (replaced > 0) model.standing.delete(call)
  const keys = new Set(changing.map(([key]) => key))
  model.records = model.records.filter(({ item }) => !keys.has(keyOf(item)))
  model.records.push(...changing.map(([, item]) => ({ item, call })))
}

const withOtherText = (record: WorldRecord): WorldRecord => ({ ...record, text: `Earlier: ${record.text ?? ''}` })

/** Whether a record says what is stored; a judgement that was made later doesn't count against one without a sentiment. */
function isStored(record: WorldRecord, held: Held<WorldRecord> | undefined): boolean {
  if (held === undefined || record !== (held.original ?? held.item)) return false
  const sentiment = record.sentiment ?? null
  return sentiment === null || (record.text ?? '') === '' || sentiment === (held.item.sentiment ?? null)
}
