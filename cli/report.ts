import { type Report, type ReportName, REPORTS } from '../src/reports/index.ts'
import { type Command, defineCommand, defineGroup, JSON_FLAG, SITE_FLAG } from './command.ts'
import { printReport, REPORT_FORMATS, toReportFormat } from './report-output.ts'
import { listReportFlags, readRequest } from './report-request.ts'
import { withAppAndSite } from './with-app.ts'

function defineReport(report: Report<ReportName>): Command {
  const { name, summary, description } = report.contract
  const flags = listReportFlags(report.contract)
  return defineCommand({
    summary,
    notes: [
      description,
      'Lists are parted by commas; what begins with { or [ is JSON, as the API takes it. Without --limit all rows come, up to 100,000. The format is table on a terminal, csv elsewhere.',
    ],
    args: {
      ...SITE_FLAG,
      ...flags,
      format: {
        type: 'enum',
        options: REPORT_FORMATS,
        description: 'table on a terminal, csv elsewhere, unless given',
      },
      ...JSON_FLAG,
    },
    examples: [
      `report ${name} --site acme.com ${listRequired(flags)}`,
      `report ${name} --site acme.com ${listRequired(flags)} --format csv > ${name}.csv`,
    ],
    run(context) {
      const format = toReportFormat(context.args, context.io.stdout)
      return withAppAndSite(context, context.args.site, async (app, site) => {
        const asked = await readRequest(app, report.contract, { ...context.args, site: site.id })
        await printReport(context, app, { report, ...asked }, format)
      })
    },
  })
}

/** The flags that must be given, with values that fit. */
function listRequired(flags: ReturnType<typeof listReportFlags>): string {
  return Object.entries(flags)
    .flatMap(([name, flag]) => (flag.required === true ? [`--${name} ${EXAMPLES[name] ?? 'VALUE'}`] : []))
    .join(' ')
}

const EXAMPLES: Readonly<Record<string, string>> = {
  from: '2026-11-01',
  to: '2026-11-20',
  'compare-from': '2026-10-01',
  'compare-to': '2026-10-20',
  metric: 'mention_rate',
}

const reports: readonly Report<ReportName>[] = REPORTS

export const report = defineGroup({
  summary: 'Reports as the API gives them, without a server: as a table, CSV, NDJSON or JSON',
  commands: Object.fromEntries(reports.map((each) => [each.contract.name, defineReport(each)])),
  examples: [
    'report visibility --site acme.com --from 2026-11-01 --to 2026-11-20 --brands all',
    'report bots --site acme.com --from 2026-11-01 --to 2026-11-20 --group-by date,bot_name --format csv > bots.csv',
  ],
})
