import type { App } from '../../../src/app.ts'
import { dayCount, toDay } from '../../../src/domain/day.ts'
import type { ImportKind } from '../../../src/domain/recorded-change.ts'
import { compactLake } from '../../../src/maintenance/compaction.ts'
import { deleteAnswers } from '../../../src/maintenance/delete-answers.ts'
import { deleteLogs } from '../../../src/maintenance/delete-logs.ts'
import { collectGarbage } from '../../../src/maintenance/garbage-collection.ts'
import type { Retention } from '../../../src/domain/retention.ts'
import { enforceRetention } from '../../../src/maintenance/retention.ts'
import { undoImport } from '../../../src/maintenance/undo.ts'
import { DAYS, type Inputs, readAnswers, readLog, toDayOf } from './power-cut-inputs.ts'
import { importFile, importJudgements, importLog, SITE } from './world.ts'

/** Changes that build on each other, and meet no other unit. */
export interface Unit {
  readonly kind: string
  readonly acts: readonly ((app: App) => unknown)[]
  /** What is read of it after so many acts, at first before them all. */
  readonly readings: readonly string[]
  read(app: App): Promise<string>
}

/** Two units of each kind, and one of each that takes whatever is too old. */
export function makeUnits(inputs: Inputs): Unit[] {
  const numbers = Object.values(KINDS).flatMap((make) => [make, make])
  return [...numbers.map((make, no) => make(inputs, no)), retention(inputs, numbers.length)]
}

const ofAnswers = (no: number) => (app: App) => readAnswers(app, SITE, no)
const ofLog = (no: number) => (app: App) => readLog(app, no)

const KINDS: Readonly<Record<string, (inputs: Inputs, no: number) => Unit>> = {
  undoAnswers(inputs, no) {
    const { bring, undo } = undoable('import_answers', (app) => importFile(app, inputs.answers(no)))
    return { kind: 'undo answers', acts: [bring, undo], readings: ['', 'first', ''], read: ofAnswers(no) }
  },
  undoLogs(inputs, no) {
    const { bring, undo } = undoable('import_logs', (app) => importLog(app, inputs.log(no)))
    return { kind: 'undo logs', acts: [bring, undo], readings: ['', 'all', ''], read: ofLog(no) }
  },
  undoSentiment(inputs, no) {
    const { bring, undo } = undoable('import_sentiment', (app) => importJudgements(app, inputs.judgements(no)))
    return {
      kind: 'undo sentiment',
      acts: [(app) => importFile(app, inputs.answers(no)), bring, undo],
      readings: ['', 'first', 'first positive', 'first'],
      read: ofAnswers(no),
    }
  },
  replaceAnswers: (inputs, no) => ({
    kind: 'replace answers',
    acts: [
      (app) => importFile(app, inputs.answers(no)),
      (app) => importFile(app, inputs.answers(no, { text: 'Second' }), { replace: true }),
    ],
    readings: ['', 'first', 'second'],
    read: ofAnswers(no),
  }),
  deleteAnswers: (inputs, no) => ({
    kind: 'delete answers',
    acts: [
      (app) => importFile(app, inputs.answers(no)),
      (app) => {
        const selection = { from: toDayOf('answers', no), to: toDayOf('answers', no) }
        return deleteAnswers(app.change, { site: app.catalog.sites.get(SITE), selection, dryRun: false })
      },
    ],
    readings: ['', 'first', ''],
    read: ofAnswers(no),
  }),
  deleteLogs: (inputs, no) => ({
    kind: 'delete logs',
    acts: [
      (app) => importLog(app, inputs.log(no)),
      (app) => {
        const selection = { from: toDayOf('logs', no), to: toDayOf('logs', no) }
        return deleteLogs(app.change, { site: app.catalog.sites.get(SITE), selection, dryRun: false })
      },
    ],
    readings: ['', 'all', ''],
    read: ofLog(no),
  }),
  deleteSite: (inputs, no) => ({
    kind: 'delete site',
    acts: [
      ({ catalog: { sites } }) => {
        const { organizationId } = sites.get(SITE)
        sites.create({ id: `site${no}`, name: 'Acme', domain: `two${no}.com`, organizationId })
      },
      (app) => importFile(app, inputs.answers(no), { siteId: `site${no}` }),
      ({ catalog }) => catalog.deletions.deleteSite(`site${no}`),
    ],
    readings: ['', 'site', 'site first', ''],
    read: (app) => readSite(app, no),
  }),
  deleteOrganization: (inputs, no) => ({
    kind: 'delete organization',
    acts: [
      ({ catalog }) =>
        catalog.transaction(() => {
          const { id: organizationId } = catalog.organizations.create({ name: `Three ${no}` })
          catalog.sites.create({ id: `site${no}`, name: 'Acme', domain: `three${no}.com`, organizationId })
        }),
      (app) => importFile(app, inputs.answers(no), { siteId: `site${no}` }),
      ({ catalog }) => catalog.deletions.deleteOrganization(catalog.sites.get(`site${no}`).organizationId),
    ],
    readings: ['', 'site', 'site first', ''],
    read: (app) => readSite(app, no),
  }),
  /** Nothing that can be read of it: what the others left is merged and deleted. */
  merge: () => ({
    kind: 'merge',
    acts: [(app) => compactLake(app.change, { isThorough: true }), (app) => collectGarbage(app.change, { graceMs: 0 })],
    readings: ['', '', ''],
    read: async () => '',
  }),
}

function retention(inputs: Inputs, no: number): Unit {
  const retire = (setting: keyof Retention) => (app: App) => {
    const period = `${dayCount(`${DAYS.old}-28`, toDay(app.clock.now())) - 1}d`
    const kept = { retentionAnswers: 'keep', retentionLogs: 'keep', retentionRaw: 'keep' }
    return enforceRetention(app.change, { retention: { ...kept, [setting]: period } })
  }
  return {
    kind: 'retention',
    acts: [
      (app) => importFile(app, inputs.answers(no, { days: 'old' })),
      retire('retentionRaw'),
      retire('retentionAnswers'),
    ],
    readings: ['', 'first', 'blank', ''],
    read: (app) => readAnswers(app, SITE, no, 'old'),
  }
}

function undoable(kind: ImportKind, work: (app: App) => Promise<unknown>) {
  let id = ''
  return {
    async bring(app: App) {
      await work(app)
      id = app.catalog.recordedChanges.list({ siteId: SITE }).find((change) => change.kind === kind)?.id ?? ''
    },
    undo: (app: App) => undoImport(app.change, { id, dryRun: false }),
  }
}

async function readSite(app: App, no: number): Promise<string> {
  const { sites, organizations } = app.catalog
  if (!sites.find(`site${no}`)) return organizations.list().some(({ name }) => name === `Three ${no}`) ? 'torn' : ''
  return ['site', await readAnswers(app, `site${no}`, no)].join(' ').trim()
}
