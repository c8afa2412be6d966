import { dirname } from 'node:path'

/** A row of the table of rooms in `docs/architecture.md`: paths whose files may import each other. */
export interface Room {
  /** Folders, single files, or `folder/*.ts` for the files of a folder itself; from the repository's root. */
  readonly paths: readonly string[]
  readonly mayImport: ReadonlySet<Room>
}

/**
 * Reads the table under the heading `## Rooms`. A row's first cell holds one or several paths. Its last cell says what the
 * row may import: `nothing`; `all` or `all above`, and maybe `but` some; or rooms above it, each with what that one may
 * import. Throws an Error that cites a name no row above has.
 */
export function readRooms(page: string): Room[] {
  const [, section = ''] = page.split(/^## Rooms\n+/m)
  const [table = ''] = section.split('\n\n')
  const rows = table.split('\n').slice(2)
  const everywhere = new Set<Room>()
  for (const row of rows) {
    const cells = row.split('|').map((cell) => cell.trim())
    const paths = toList(cells[1] ?? '')
    everywhere.add({ paths, mayImport: toMayImport(cells.at(-2) ?? '', everywhere) })
  }
  return [...everywhere]
}

/** `everywhere` grows with the rows that follow. */
function toMayImport(cell: string, everywhere: ReadonlySet<Room>): ReadonlySet<Room> {
  const above = [...everywhere]
  const find = (word: string): Room => {
    const room = above.find(({ paths }) => paths.some((path) => toName(path) === toName(word)))
    if (room === undefined) throw new Error(`docs/architecture.md: no room above is called "${word}", in "${cell}"`)
    return room
  }
  if (cell === 'nothing') return new Set()
  if (cell === 'all') return everywhere
  const but = /^all above(?: but (.+))?$/.exec(cell)
  if (but === null) return new Set(toList(cell).flatMap((word) => [find(word), ...find(word).mayImport]))
  const without = new Set(but[1] === undefined ? [] : toList(but[1]).map(find))
  return new Set(above.filter((room) => !without.has(room)))
}

/** The room of a file: the one with the longest path that holds it. */
export function findRoom(rooms: readonly Room[], file: string): Room | undefined {
  const held = rooms.flatMap((room) => room.paths.filter((path) => holds(path, file)).map((path) => ({ room, path })))
  return held.toSorted((a, b) => b.path.length - a.path.length)[0]?.room
}

/** Whether a path of a room holds a file. */
export function holds(path: string, file: string): boolean {
  if (path.endsWith('/*.ts')) return dirname(path) === dirname(file)
  return file === path || file.startsWith(`${path}/`)
}

function toList(cell: string): string[] {
  return cell.split(',').map((part) => part.replaceAll('`', '').trim())
}

/** `src/domain` is `domain`, `src/config.ts` is `config`, and the files of `src` itself are the `ground`. */
function toName(path: string): string {
  return path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .replace(/^\*$/, 'ground')
}
