import { expect, test } from 'vitest'
import { findRoom, readRooms, type Room } from './support/rooms.ts'
import { listImports } from './support/sources.ts'

const PAGE = `# House

## Rooms

| room | holds | may import |
| --- | --- | --- |
| \`src/*.ts\` | the ground | nothing |
| \`src/day\` | days, a \`|\` apart | ground |
| \`src/read.ts\` | one file | day |
| \`src/store\` | what is kept | ground |
| \`src/store/old\`, \`src/sieve\` | two folders | store, read |
| \`src/hall\` | puts together | all above |
| \`src/door\` | opens | all above but sieve, store |
| \`cli\` | commands | all |

Words after it | are none of the table.
`

const rooms = readRooms(PAGE)
const roomOf = (file: string): Room | undefined => findRoom(rooms, file)
const mayImport = (from: string, to: string): boolean => roomOf(from)!.mayImport.has(roomOf(to)!)

test('a file is in the room with the longest path that holds it', () => {
  const paths = ['src/ids.ts', 'src/read.ts', 'src/store/a.ts', 'src/store/old/deep/a.ts', 'src/sieve/a.ts', 'bin/a.ts']
  expect(paths.map((path) => roomOf(path)?.paths[0])).toEqual([
    'src/*.ts',
    'src/read.ts',
    'src/store',
    'src/store/old',
    'src/store/old',
    undefined,
  ])
})

test('a room may import what its row names, and what those may import', () => {
  expect(mayImport('src/read.ts', 'src/ids.ts')).toBe(true)
  expect(mayImport('src/day/a.ts', 'src/read.ts')).toBe(false)
  expect(mayImport('src/sieve/a.ts', 'src/day/a.ts')).toBe(true)
  expect(mayImport('src/store/a.ts', 'src/store/old/a.ts')).toBe(false)
})

test('"all above" ends at the row, "but" takes rooms away, "all" is everything', () => {
  expect(mayImport('src/hall/a.ts', 'src/store/old/a.ts')).toBe(true)
  expect(mayImport('src/hall/a.ts', 'src/door/a.ts')).toBe(false)
  expect(mayImport('src/door/a.ts', 'src/hall/a.ts')).toBe(true)
  expect(mayImport('src/door/a.ts', 'src/store/a.ts')).toBe(false)
  expect(mayImport('src/door/a.ts', 'src/store/old/a.ts')).toBe(false)
  expect(mayImport('cli/a.ts', 'src/door/a.ts')).toBe(true)
})

test('a name that no row above has is refused', () => {
  expect(() => readRooms(PAGE.replace('| day |', '| hall |'))).toThrow(
    'docs/architecture.md: no room above is called "hall", in "hall"',
  )
})

test('every way to import is found, and nothing that only looks like one', () => {
  const text = `import { a, type B } from './a.ts'
import type { C } from '../c.ts'
import './side.ts'
import * as v from 'valibot'
export { d } from './d.ts'
export type { E } from './e.ts'
import {
  f,
} from './f.ts'
export const late = () => import('./late.ts')
const types: typeof import('./types.ts') = await import('package')
const file = new URL('./worker.ts', import.meta.url)
export const words = 'it came from './nowhere.ts''
`
  expect(listImports('src/x/file.ts', text).map(({ path, name, kind }) => `${kind} ${path ?? name}`)).toEqual([
    'static src/x/a.ts',
    'type src/c.ts',
    'static src/x/side.ts',
    'static valibot',
    'static src/x/d.ts',
    'type src/x/e.ts',
    'static src/x/f.ts',
    'late src/x/late.ts',
    'type src/x/types.ts',
    'late package',
    'late src/x/worker.ts',
  ])
})
