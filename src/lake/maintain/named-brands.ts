import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { type Sql, sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import { readMentionedBrands } from './remaining-use.ts'

/** A brand that some answers name. */
export interface NamedBrand {
  readonly brandNo: number
  /** How many of these answers list it in their own `mentions`. */
  readonly answers: number
}

/** The brands that the answers for which `where` is true name, over the columns of `answers` and tables of the connection. */
export async function readNamedBrands(
  connection: DuckDBConnection,
  { lakeDir, files, where }: { readonly lakeDir: string; readonly files: readonly LakeFile[]; readonly where: Sql },
): Promise<NamedBrand[]> {
  const rows = await readCells(
    connection,
    sql`
    SELECT brand_no, count(*) FILTER (is_listed)::DOUBLE
    FROM ${readFiles(lakeDir, 'mentions', files)}
    JOIN (
      SELECT answer_no, given_mentions IS NOT NULL AS is_listed FROM ${readFiles(lakeDir, 'answers', files)} WHERE ${where}
    ) USING (answer_no)
    GROUP BY brand_no
    ORDER BY brand_no`,
  )
  return rows.map(([brandNo, answers]) => ({ brandNo: Number(brandNo), answers: Number(answers) }))
}

/** What goes from brands with answers that are taken out. */
export interface Withdrawal {
  /** How many of these answers listed each brand in their own `mentions`. */
  readonly listings: readonly NamedBrand[]
  /** Brands that these answers named and no answer does any more. */
  readonly unnamed: readonly number[]
}

/**
 * What answers that are taken out withdraw from brands, of `among` alone where it is given: `where` is true for them over the
 * columns of `answers` in the files `before`; `after` are all files without them.
 */
export async function readWithdrawal(
  connection: DuckDBConnection,
  options: {
    readonly lakeDir: string
    readonly before: readonly LakeFile[]
    readonly after: readonly LakeFile[]
    readonly where: Sql
    readonly among?: ReadonlySet<number>
  },
): Promise<Withdrawal> {
  const { lakeDir, before, after, where, among } = options
  if (among?.size === 0) return { listings: [], unnamed: [] }
  const named = await readNamedBrands(connection, { lakeDir, files: before, where })
  const listings = named.filter(({ brandNo }) => among?.has(brandNo) ?? true)
  const brandNos = listings.map(({ brandNo }) => brandNo)
  const still = await readMentionedBrands(connection, { lakeDir, files: after, without: sql`false` }, brandNos)
  return { listings, unnamed: brandNos.filter((brandNo) => !still.has(brandNo)) }
}
