import type { AnswersUndo, PromptsUndo } from '../domain/recorded-change.ts'
import { CommandError } from '../errors.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { removeAnswers } from '../lake/maintain/answer-removal.ts'
import { readNamedBrands } from '../lake/maintain/named-brands.ts'
import { readMentionedBrands, readUsedPrompts } from '../lake/maintain/remaining-use.ts'
import { bigint, sql } from '../lake/sql.ts'
import { readScanWithout } from '../change/newest-scan.ts'
import { warnOfLater } from './later-imports.ts'
import { toDays, type UndoPlan, type UndoStep } from './undo-plan.ts'

/** Takes the answers and no_answers of an import out by their numbers, with what only it made: prompts and competitors. */
export async function planAnswersUndo(step: UndoStep, undo: AnswersUndo): Promise<UndoPlan> {
  const { context, change, siteId, undone, dryRun, signal } = step
  const { catalog, lakeDir } = context
  const { promptNos: ownPromptNos = [], brandNos = [], evidence: ofTexts = [] } = undo
  const result = undone.result as AnswersResult
  if (result.no_answer > 0 && undo.hasNumberedNoAnswers !== true) {
    throw new CommandError(
      `The import ${undone.id} can't be taken back: an older version made it, which didn't note which of the questions without an answer came with it. Nothing was changed.`,
    )
  }
  using database = await openChangeDatabase(change.staging.spillDir)
  const connection = await database.connect()
  const ofImport = sql`answer_no >= ${bigint(undo.firstAnswerNo)} AND answer_no < ${bigint(undo.nextAnswerNo)}`
  const { removed, replaced } = await removeAnswers(connection, {
    staging: change.staging,
    lakeDir,
    files: change.files,
    where: { answers: ofImport, no_answers: ofImport },
    days: toDays(undo.months),
    isDryRun: dryRun,
    ...(signal ? { signal } : {}),
  })
  const use = { lakeDir, files: change.files, without: ofImport }
  const leftNos = catalog.recordedChanges
    .listUndos(siteId, 'undo')
    .flatMap(({ undo: note }) => (note as PromptsUndo).promptNos)
  const takenOver = await readUsedPrompts(connection, { ...use, without: sql`NOT (${ofImport})` }, leftNos)
  const promptNos = [...new Set([...ownPromptNos, ...takenOver])]
  const usedPrompts = await readUsedPrompts(connection, use, promptNos)
  const named = await readNamedBrands(connection, { lakeDir, files: change.files, where: ofImport })
  // Also those of another import, which may have gone already: these answers may be the last that name them.
  const candidates = [...new Set([...brandNos, ...named.map(({ brandNo }) => brandNo)])]
  const mentioned = await readMentionedBrands(connection, use, candidates)
  const evidence = [...ofTexts, ...named]
  const ids = replaced.map(({ fileId }) => fileId)
  const scan = dryRun ? [] : await readScanWithout(context, change, new Set(ids))
  const ownEvidence = new Map<number, number>()
  for (const { brandNo, answers } of evidence) ownEvidence.set(brandNo, (ownEvidence.get(brandNo) ?? 0) + answers)

  /** Asked inside the commit too: somebody may decide something until then. */
  function listUnused(): { promptNos: number[]; brandNos: number[] } {
    const prompts = catalog.undecided.listPrompts(
      siteId,
      promptNos.filter((promptNo) => !usedPrompts.has(promptNo)),
    )
    const competitors = catalog.undecided
      .listCompetitors(
        siteId,
        candidates.filter((brandNo) => !mentioned.has(brandNo)),
      )
      .filter(({ brandNo, answers }) => answers <= (ownEvidence.get(brandNo) ?? 0))
    return {
      promptNos: prompts.map(({ promptNo }) => promptNo),
      brandNos: competitors.map(({ brandNo }) => brandNo),
    }
  }

  return {
    counts: removed,
    replaced: ids,
    ...(ownPromptNos.length > 0 ? { note: { promptNos: ownPromptNos } } : {}),
    warnings: warnOfLater(step, {
      isMeant: ({ kind, result: later }) => kind === 'import_answers' && (later as AnswersResult).duplicates > 0,
      did: 'passed over duplicates',
      what: 'records',
    }),
    decide({ dryRun: isCounting }) {
      const unused = listUnused()
      if (!isCounting) {
        catalog.undecided.remove(siteId, unused)
        catalog.competitors.takeEvidence(siteId, evidence)
        catalog.scans.replace(siteId, scan)
      }
      return { prompts_removed: unused.promptNos.length, competitors_removed: unused.brandNos.length }
    },
  }
}

interface AnswersResult {
  readonly no_answer: number
  readonly duplicates: number
}
