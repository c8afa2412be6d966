import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildAssets } from '../src/http/dashboard/build-assets.ts'

/** Writes the dashboard's files for the npm package: beside the built program, or into the directory that is given. */
const dir = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist/dashboard'))
rmSync(dir, { recursive: true, force: true })
mkdirSync(dir, { recursive: true })
for (const [name, text] of Object.entries(await buildAssets())) writeFileSync(join(dir, name), text)
