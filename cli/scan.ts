import { defineGroup } from './command.ts'

export const scan = defineGroup({
  summary: 'Ask the engines: whom, at which cost, and what came of it',
  commands: {
    targets: async () => (await import('./scan-targets.ts')).targets,
    plan: async () => (await import('./scan-plan.ts')).plan,
    run: async () => (await import('./scan-run.ts')).run,
    status: async () => (await import('./scan-status.ts')).status,
    retry: async () => (await import('./scan-retry.ts')).retry,
  },
  examples: ['scan targets', 'scan plan --site acme.com', 'scan run --site acme.com --budget 5'],
})
