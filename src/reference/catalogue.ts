import * as v from 'valibot'

/** What every entry of a file in `data/` carries: a key of the file's `sources`, and the day or month it was true. */
export const SOURCED = {
  source: v.pipe(v.string(), v.nonEmpty()),
  date: v.pipe(v.string(), v.regex(/^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/)),
}

/** What every file in `data/` starts with. */
export const HEAD = {
  about: v.pipe(v.string(), v.nonEmpty()),
  sources: v.record(v.string(), v.pipe(v.string(), v.nonEmpty())),
}

/** Reads a file of `data/` once, when its module is loaded. A fault is the program's own and names file, place and reason. */
export function parseCatalogue<S extends v.GenericSchema>(file: string, schema: S, content: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, content)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Error(`data/${file}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`)
}
