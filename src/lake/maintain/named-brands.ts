import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { type Sql, sql } from '../sql.ts'
import { readCells } from '../statement.ts'

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
