import { existsSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DISK_FREE_BYTES_ADVISED, DISK_FREE_BYTES_MIN } from '../../src/limits.ts'
import { ok, problem, toReason, warning, type Finding, type Patient } from './finding.ts'

/** Whether the directory is there, belongs to the account, can be written and is for its owner alone. */
export async function checkDirectory({ dataDir }: Patient): Promise<Finding> {
  const check = 'directory'
  try {
    const { mode, uid } = await stat(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8)
      return warning(check, `${dataDir} is open to other accounts (mode ${shown})`, `chmod 700 '${dataDir}'`)
    }
    const account = process.getuid?.() ?? 0
    if (account > 0 && uid !== account) {
      return warning(check, `${dataDir} belongs to another account (${uid})`, 'run answerlake as its owner')
    }
    return ok(check, `${dataDir} can be read and written`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return checkParent(dataDir)
    }
    return problem(check, `${dataDir}: ${toReason(error)}`, 'check owner and permissions of the directory')
  }
}

async function checkParent(dataDir: string): Promise<Finding> {
  const message = `${dataDir} does not exist yet`
  let parent = dirname(dataDir)
  while (!existsSync(parent)) parent = dirname(parent)
  try {
    await access(parent, constants.W_OK | constants.X_OK)
    return warning('directory', message, '`answerlake sites create` or `answerlake demo` makes it')
  } catch {
    return problem('directory', `${message} and ${parent} cannot be written`, 'choose another --data-dir')
  }
}

/** SQLite's write-ahead log needs memory shared between processes, which network file systems don't have. */
export async function checkFileSystem({ dataDir }: Patient): Promise<Finding> {
  const { type } = await statfs(dataDir)
  return describeFileSystem(type)
}

/** `statfs` types of Linux that don't hold a catalog safely. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
])
const FUSE = 0x65735546

/** The finding for a `statfs` type, for which 32 bits count. */
export function describeFileSystem(type: number): Finding {
  const check = 'file system'
  const name = NETWORK.get(type >>> 0)
  if (name !== undefined) {
    return problem(check, `${name} cannot hold the catalog safely`, 'move the data directory to a local disk')
  }
  if (type >>> 0 === FUSE) {
    return warning(check, 'a FUSE file system may lose what was written', 'use a local disk unless you know it syncs')
  }
  return ok(check, `local (type 0x${(type >>> 0).toString(16)})`)
}

export async function checkFreeDisk({ dataDir }: Patient): Promise<Finding> {
  const check = 'free disk'
  const { bavail, bsize, files, ffree } = await statfs(dataDir)
  const free = bavail * bsize
  const shown = `${(free / 2 ** 30).toFixed(1)} GiB free`
  if (free < DISK_FREE_BYTES_MIN) {
    return problem(
      check,
      shown,
      'free some space, `answerlake lake gc --grace 0` may help; imports are refused and changes of prompts answered with 503',
    )
  }
  if (files > 0 && ffree < 1_000) return problem(check, `${ffree} files can be made`, 'free some inodes')
  if (free < DISK_FREE_BYTES_ADVISED) {
    return warning(
      check,
      shown,
      'an import needs twice the room of what it adds; `answerlake lake gc --grace 0` may help',
    )
  }
  return ok(check, shown)
}
