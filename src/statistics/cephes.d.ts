/** What is used of the package, whose own types its `exports` doesn't name. */
declare module 'cephes' {
  /** Resolves once the functions may be called. */
  export const compiled: Promise<void>
  /** The regularized incomplete beta function of `x`. */
  export function incbet(a: number, b: number, x: number): number
  /** The `x` at which it is `y`. */
  export function incbi(a: number, b: number, y: number): number
}
