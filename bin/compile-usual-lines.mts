import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { USUAL_LINES_PAGES } from '../src/imports/logs/usual-lines.ts'

const ROOT = join(import.meta.dirname, '..')

/** The WebAssembly of the scanner of usual log lines. The same source gives the same bytes. */
export function compileUsualLines(): Buffer {
  const compiler = join(ROOT, 'node_modules/assemblyscript/bin/asc.js')
  const work = mkdtempSync(join(tmpdir(), 'answerlake-compile-'))
  try {
    const output = join(work, 'usual-lines.wasm')
    const options =
      '-O3 --noAssert --runtime stub --enable simd --enable threads --importMemory --sharedMemory --noExportMemory'
    const pages = [
      '--initialMemory',
      String(USUAL_LINES_PAGES.least),
      '--maximumMemory',
      String(USUAL_LINES_PAGES.most),
    ]
    const source = 'src/imports/logs/assembly/usual-lines.ts'
    execFileSync(process.execPath, [compiler, source, '--outFile', output, ...options.split(' '), ...pages], {
      cwd: ROOT,
      stdio: 'inherit',
    })
    return readFileSync(output)
  } finally {
    rmSync(work, { recursive: true })
  }
}
