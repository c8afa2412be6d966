import { openChangeDatabase } from '../instance.ts'
import { sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import { openTableAppender } from './table-appender.ts'

/** Finds, in a sequence of ids of any length, the places whose id comes again later. */
export interface LastPlaces extends Disposable {
  /** Adds the id of the next place; the first is 0. */
  add(id: string): void
  /** Tells whether the id of a place comes again. Once, after the last `add`: it lets go of all but the answer. */
  findSuperseded(): Promise<(place: number) => boolean>
}

/** Opens a DuckDB for them, which spills into the directory. */
export async function openLastPlaces(spillDir: string): Promise<LastPlaces> {
  const database = await openChangeDatabase(spillDir)
  try {
    const connection = await database.connect()
    const table = await openTableAppender(connection, 'places', { place: 'integer', id: 'text' })
    let count = 0
    return {
      add(id) {
        table.cells.place.push(count++)
        table.cells.id.push(id)
        table.endRow()
      },
      async findSuperseded() {
        table.close()
        const rows = await readCells(
          connection,
          sql`SELECT place FROM places ANTI JOIN (SELECT max(place) AS place FROM places GROUP BY id) USING (place)`,
        )
        database[Symbol.dispose]()
        const superseded = new Set(rows.map(([place]) => Number(place)))
        return (place) => superseded.has(place)
      },
      [Symbol.dispose]: () => database[Symbol.dispose](),
    }
  } catch (error) {
    database[Symbol.dispose]()
    throw error
  }
}
