import { execFileSync } from 'node:child_process'

/** The commit that a checkout stands at, marked when files differ from it; null outside a checkout. */
export function findCommit(root: string): string | null {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain') === '' ? commit : `${commit}-changed`
  } catch {
    return null
  }
}
