import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bigint, day, join, Sql, sql, text, texts } from '../../src/lake/sql.ts'
import { compile, readCells, runStatement } from '../../src/lake/statement.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

beforeAll(() => runStatement(connection, sql`CREATE TABLE made AS SELECT ${bigint(5_000_000_000)} AS no`))
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

describe('SQL', () => {
  it('keeps values out of its text, in the order of their places, also of fragments used twice', () => {
    const ofDay = sql`day = ${day('1970-01-03')}`
    const { text: compiled, values } = compile(sql`SELECT ${text("a'b")} WHERE ${join([ofDay, ofDay], sql` OR `)}`)
    expect(compiled).toBe('SELECT $1 WHERE day = $2 OR day = $3')
    expect(values.map(String)).toEqual(["a'b", '1970-01-03', '1970-01-03'])
  })

  it('is made by the tag alone', () => {
    // @ts-expect-error: the constructor is private
    const made = () => new Sql(['SELECT 1'], [])
    // @ts-expect-error: what only looks like SQL is none
    const alike: Sql = { kind: 'sql', texts: ['SELECT 1'], bindings: [] }
    // @ts-expect-error: a bare string is neither SQL nor a value
    const bare = () => sql`SELECT ${'1'}`
    expect([made, alike, bare]).toHaveLength(3)
  })

  it.each(['a b', 'a"b', 'a;b', '', '1a', 'a.b', "'a'"])('takes no name %j', (name) => {
    expect(() => sql.identifier(name)).toThrow(`${JSON.stringify(name)} is no name for SQL`)
  })

  it.each([1.5, Number.NaN, Infinity, 2 ** 60])('takes %d for no whole number', (value) => {
    expect(() => sql.count(value)).toThrow(`${value} is no whole number`)
  })

  it('gives a path to DuckDB as it is, whatever characters it has', async () => {
    const path = `/tmp/it's "here"; $1 \\ \u00e9/x.parquet`
    expect(await readCells(connection, sql`SELECT ${sql.path(path)}, ${text(path)}`)).toEqual([[path, path]])
  })

  it('binds values where tables are made and where several statements end', async () => {
    const statements = sql`CREATE TABLE ${sql.identifier('names')} (name VARCHAR);
      INSERT INTO names SELECT unnest(${texts(["o'ne", 'two'])})`
    await runStatement(connection, statements)
    expect(await readCells(connection, sql`SELECT no, name FROM made, names ORDER BY name`)).toEqual([
      [5_000_000_000, "o'ne"],
      [5_000_000_000, 'two'],
    ])
  })
})
