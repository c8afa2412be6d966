import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * This machine with its programs and accounts, in namespaces of its own: what is written, installed or made an account of
 * stays in memory and is gone with it, and only its own processes are on its network.
 */
export interface PrivateMachine {
  /** Runs a script as root would in its home, with `sh -eu`. */
  run(script: string): SpawnSyncReturns<string>
  /** The same without waiting for it. */
  start(script: string): ChildProcess
  close(): Promise<void>
}

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
}

/** The arguments are a directory to mount on, then pairs of what is shown read-only and where. */
const SET_UP = `
top=$1; shift
mount -t tmpfs tmpfs "$top"
mkdir "$top/upper" "$top/work" "$top/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$top/upper,workdir=$top/work" "$top/root"
mount -t proc proc "$top/root/proc"
mount --rbind /dev "$top/root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$top/root/tmp"
mount -t tmpfs -o mode=700 tmpfs "$top/root/root"
while [ $# -gt 0 ]; do
  if [ -d "$1" ]; then mkdir -p "$top/root$2"; else : >"$top/root$2"; fi
  mount --bind -o ro "$1" "$top/root$2"
  shift 2
done
ip link set lo up
echo ready
cd "$top/root"
exec chroot . sleep infinity
`

/**
 * Opens one; `shown` are paths of this machine and where they are to be there. Gives the reason instead where that can't be:
 * it takes root, Linux' namespaces and overlays, and the programs of util-linux and iproute2.
 */
export async function openPrivateMachine(shown: Readonly<Record<string, string>>): Promise<PrivateMachine | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  const needed = ['unshare', 'nsenter', 'ip', 'chroot', 'runuser', 'setpriv', 'useradd']
  const missing = needed.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
  if (missing.length > 0) return `${missing.join(', ')} missing`
  const top = mkdtempSync(join(tmpdir(), 'answerlake-machine-'))
  const spaces = ['--mount', '--net', '--pid', '--fork', '--kill-child']
  const holder = spawn('unshare', [...spaces, 'sh', '-euc', SET_UP, 'sh', top, ...Object.entries(shown).flat()])
  let told = ''
  holder.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const closed = once(holder, 'close')
  if ((await Promise.race([once(holder.stdout, 'data'), closed.then(() => undefined)])) === undefined) {
    rmdirSync(top)
    return told.trim()
  }
  const [init = ''] = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').split(' ')
  const toArguments = (script: string): string[] => {
    return ['-t', init, '-m', '-n', '-p', '-r', '-w', 'sh', '-euc', `cd /root\n${script}`]
  }
  return {
    run: (script) => spawnSync('nsenter', toArguments(script), { cwd: '/', env: ENVIRONMENT, encoding: 'utf8' }),
    start: (script) => spawn('nsenter', toArguments(script), { cwd: '/', env: ENVIRONMENT }),
    async close() {
      holder.kill('SIGKILL')
      await closed
      rmdirSync(top)
    },
  }
}
