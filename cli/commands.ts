import { defineGroup } from './command.ts'

/** The program: its commands in the order of their help. */
export const program = defineGroup({
  summary: 'Answer-engine visibility from your own answers and server logs',
  commands: {
    serve: async () => (await import('./serve.ts')).serve,
    demo: async () => (await import('./demo.ts')).demo,
    orgs: async () => (await import('./orgs.ts')).orgs,
    sites: async () => (await import('./sites.ts')).sites,
    prompts: async () => (await import('./prompts.ts')).prompts,
    competitors: async () => (await import('./competitors.ts')).competitors,
    keys: async () => (await import('./keys.ts')).keys,
    scan: async () => (await import('./scan.ts')).scan,
    'operator-keys': async () => (await import('./operator-keys.ts')).operatorKeys,
    import: async () => (await import('./import.ts')).importGroup,
    answers: async () => (await import('./answers.ts')).answers,
    logs: async () => (await import('./logs.ts')).logs,
    sentiment: async () => (await import('./sentiment.ts')).sentiment,
    report: async () => (await import('./report.ts')).report,
    actions: async () => (await import('./actions.ts')).actions,
    lake: async () => (await import('./lake.ts')).lake,
    backup: async () => (await import('./backup.ts')).backup,
    restore: async () => (await import('./backup.ts')).restore,
    openapi: async () => (await import('./openapi.ts')).openapi,
    bots: async () => (await import('./bots.ts')).bots,
    doctor: async () => (await import('./doctor.ts')).doctor,
    completion: async () => (await import('./completion.ts')).completion,
    version: async () => (await import('./version.ts')).version,
  },
  examples: [
    'demo',
    'sites create --name Acme --domain acme.com',
    'import answers --site acme.com answers.ndjson',
    'keys create --name reporting --expires 90',
    'serve --port 8080',
  ],
})
