import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileUsualLines } from './compile-usual-lines.mts'

const OUTPUT = join(import.meta.dirname, '../src/imports/logs/usual-lines-code.ts')

const code = compileUsualLines().toString('base64')
const lines = code.match(/.{1,100}/g) ?? []
writeFileSync(
  OUTPUT,
  `/** Compiled from assembly/usual-lines.ts by \`npm run build:usual-lines\`. */
export const USUAL_LINES_CODE = [
${lines.map((line) => `  '${line}',\n`).join('')}].join('')
`,
)
