import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinParts } from '../../src/import-answers/parts.ts'

const turn = (stop: string | null, ...content: unknown[]) => ({ role: 'assistant', stop_reason: stop, content })
const search = (token: string) => ({ search_parameters: { engine: 'google' }, ai_overview: { page_token: token } })
const followed = (token: string) => ({ search_parameters: { page_token: token }, ai_overview: { text_blocks: [] } })

describe('the parts of an answer', () => {
  it('are the turns of a message up to the one that ends it', () => {
    const parts = [turn('pause_turn', 1), turn('pause_turn', 2, 3), turn('end_turn', 4), turn('end_turn', 5)]
    expect(joinParts(parts)).toEqual([turn('end_turn', 1, 2, 3, 4), turn('end_turn', 5)])
  })

  it('leave a message unfinished that no turn ends', () => {
    expect(joinParts([turn('pause_turn', 1), { type: 'error', error: {} }])).toEqual([turn('pause_turn', 1)])
    expect(joinParts([turn('pause_turn', 1), turn('pause_turn', 2)])).toEqual([turn('pause_turn', 1, 2)])
    expect(joinParts([turn('pause_turn', 1), { role: 'user', content: [] }])).toHaveLength(2)
  })

  it('are a search and the overview for its own token', () => {
    expect(joinParts([search('a'), followed('a'), search('b'), followed('c')])).toEqual([
      { search_parameters: { engine: 'google' }, ai_overview: { text_blocks: [] } },
      search('b'),
      followed('c'),
    ])
  })

  it('are a job that is done and its results', () => {
    const job = { id: '1', source: 'chatgpt', status: 'done' }
    expect(joinParts([job, { results: [{}] }])).toEqual([{ results: [{}], job }])
    expect(joinParts([{ ...job, status: 'pending' }, { results: [{}] }])).toHaveLength(2)
  })

  it('are nobody else’s: other lists come out as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), (responses) => {
        expect(joinParts(responses)).toEqual(responses)
      }),
    )
  })

  it('are joined in one go, however many there are', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => turn('pause_turn', index))
    expect(joinParts(many)).toHaveLength(1)
    const searches = Array.from({ length: 100_000 }, () => search('a'))
    expect(
      joinParts(searches.flatMap((each) => [each, { ...followed('a'), ai_overview: { page_token: 'a' } }])),
    ).toHaveLength(100_000)
  })
})
