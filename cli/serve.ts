import { readConfig, toConfigFile } from '../src/config.ts'
import { defineCommand } from './command.ts'
import { printJson } from './io.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'
import { pickSettings, SETTING_FLAGS } from './setting-flags.ts'
import { withApp } from './with-app.ts'

export const serve = defineCommand({
  summary: 'Serve the API under /v1 and the dashboard until SIGTERM or SIGINT',
  notes: [
    'Prints `listening on http://HOST:PORT` on standard error when it accepts connections, then one JSON line a request. SIGTERM lets requests under way end and exits 0; a second signal ends at once.',
    '--scan asks the targets of scan.json by its schedules, of several servers one; nothing is asked without it. SIGTERM lets calls under way end within the shutdown grace.',
    'Settings come from flags, else from the environment (--query-timeout is ANSWERLAKE_QUERY_TIMEOUT), else from config.json in the data directory ("query_timeout").',
  ],
  args: {
    ...SETTING_FLAGS,
    scan: { type: 'boolean', description: 'ask the engines by the schedules of scan.json' },
    'print-config': { type: 'boolean', description: 'print the settings in force as config.json and exit' },
    json: { type: 'boolean', description: 'accepted like everywhere; the settings are JSON anyway' },
  },
  examples: [
    'serve',
    'serve --scan',
    'serve --host 0.0.0.0 --port 80 --data-dir /var/lib/answerlake',
    'serve --print-config',
  ],
  async run(context) {
    const { args, io } = context
    const flags = pickSettings(args)
    if (args['print-config']) {
      const config = await readConfig({ dataDir: context.dataDir, environment: context.environment, flags })
      printJson(io, toConfigFile(config), 2)
      return
    }
    await withApp(
      context,
      async (app) => {
        const scans = args.scan
          ? await (await import('./scheduled-scans.ts')).openScheduledScans(app, context)
          : undefined
        await serveUntilStopped(app, context, scans === undefined ? {} : { startScans: () => scans.start() })
      },
      { create: true, mode: 'server', flags },
    )
  },
})
