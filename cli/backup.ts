import { toDataDir } from '../src/config.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import type { RestoreResult } from '../src/maintenance/restore.ts'
import { printJson, printLine, printNote, type Io } from './io.ts'
import { openProgress } from './progress.ts'
import { withApp } from './with-app.ts'
import { countOf, toSize } from './format.ts'

export const backup = defineCommand({
  summary: 'Copy the data directory while servers and imports use it',
  notes: [
    'DIR is new, empty, or holds an earlier backup of the same data directory: what that has already is not copied again, and it stays whole until the new one is.',
  ],
  args: {
    dir: { type: 'positional', required: true, valueHint: 'DIR', description: 'where the backup goes' },
    ...JSON_FLAG,
  },
  examples: ['backup /mnt/backup/answerlake'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { backUpLake } = await import('../src/maintenance/backup.ts')
    const progress = openProgress('copying', io, clock)
    const result = await withApp(context, ({ change }) =>
      backUpLake(change, {
        dir: args.dir,
        signal,
        onProgress: ({ doneBytes, totalBytes, files }) =>
          progress.report({ done: doneBytes, total: totalBytes, note: countOf(files, 'file') }),
        onWait: () => printNote(io, 'waiting for another backup into this directory'),
      }),
    ).finally(() => progress.close())
    if (args.json) return printJson(io, result)
    const copied = `${result.files_copied} of them (${toSize(result.bytes_copied)}) copied now`
    printLine(io, `snapshot ${result.snapshot}: ${countOf(result.files, 'file')} (${toSize(result.bytes)}), ${copied}`)
  },
})

export const restore = defineCommand({
  summary: 'Make a data directory from a backup',
  notes: [
    'The data directory must be new or empty. Everything is checked before it gets its place.',
    'Everything decided since the backup was made is undone, revocations of keys too: keys that are valid again are listed, and users who may sign in. Nobody is signed in, and invitations are to be made again.',
  ],
  args: {
    dir: { type: 'positional', required: true, valueHint: 'DIR', description: 'directory with the backup' },
    'revoke-keys': { type: 'boolean', description: 'revoke every key in the restored directory' },
    ...JSON_FLAG,
  },
  examples: [
    'restore /mnt/backup/answerlake --data-dir /var/lib/answerlake',
    'restore /mnt/backup/answerlake --data-dir /var/lib/answerlake --revoke-keys',
  ],
  async run({ args, io, clock, signal, dataDir }) {
    const { restoreBackup } = await import('../src/maintenance/restore.ts')
    const progress = openProgress('copying', io, clock)
    const result = await restoreBackup({
      dir: args.dir,
      dataDir: toDataDir(dataDir),
      clock,
      revokesKeys: args['revoke-keys'],
      signal,
      onProgress: ({ doneBytes, totalBytes, files }) =>
        progress.report({ done: doneBytes, total: totalBytes, note: countOf(files, 'file') }),
    }).finally(() => progress.close())
    if (args.json) return printJson(io, result)
    const { data_dir, snapshot, files, bytes, created_at } = result
    printLine(
      io,
      `snapshot ${snapshot} of ${created_at} restored to ${data_dir}: ${countOf(files, 'file')} (${toSize(bytes)})`,
    )
    if (args['revoke-keys']) printNote(io, `${countOf(result.keys_revoked, 'key')} revoked`)
    else noteKeys(io, result)
    noteUsers(io, result)
  },
})

/** Nobody can tell which keys were revoked after the backup, so that all valid ones are named. */
function noteKeys(io: Io, { data_dir, created_at, valid_keys }: RestoreResult): void {
  if (valid_keys.length === 0) return
  printNote(io, `Keys are as they were at ${created_at}; one that was revoked later is valid again. Valid are:`)
  for (const { id, name, permission, expires_at } of valid_keys) {
    printNote(io, `  ${id} ${name} (${permission}, until ${expires_at.slice(0, 10)})`)
  }
  printNote(io, `Revoke what must not be: answerlake keys revoke KEY_ID --data-dir ${data_dir}`)
}

/** The same of users; nobody is signed in. */
function noteUsers(io: Io, { data_dir, created_at, valid_users }: RestoreResult): void {
  if (valid_users.length === 0) return
  printNote(io, `Users are as they were at ${created_at}; one who was revoked later may sign in again. These may:`)
  for (const mail of valid_users) printNote(io, `  ${mail}`)
  printNote(io, `Revoke who must not: answerlake users revoke MAIL --data-dir ${data_dir}`)
}
