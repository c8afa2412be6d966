/** 97.5 % quantile of the normal distribution: what Student's t comes to with ever more degrees of freedom. */
export const NORMAL_CRITICAL_VALUE = 1.959963984540054

/** Student's t distribution (docs/methods.md 1). Degrees of freedom are over 0 and need not be whole. */
export interface StudentT {
  /** The value that chance alone passes in 5 % of the cases, up or down: the 97.5 % quantile. */
  criticalValue(degrees: number): number
  /** How often chance alone goes as far from 0 as `t` or farther, up or down: 0 to 1. */
  toPValue(t: number, degrees: number): number
}

/** The distribution, by the functions of the Cephes library; they are compiled at the first call. */
export async function loadStudentT(): Promise<StudentT> {
  const { compiled, incbet, incbi } = await import('cephes')
  await compiled
  return {
    criticalValue(degrees) {
      if (degrees > DEGREES_MAX) return NORMAL_CRITICAL_VALUE
      const known = criticalValues.get(degrees)
      if (known !== undefined) return known
      const value = Math.sqrt(degrees / incbi(degrees / 2, 0.5, 0.05) - degrees)
      if (Number.isInteger(degrees) && degrees <= KNOWN_MAX) criticalValues.set(degrees, value)
      return value
    },
    toPValue: (t, degrees) => incbet(degrees / 2, 0.5, degrees / (degrees + t * t)),
  }
}

/** From here on the two distributions differ by less than rounding takes from the quotient above. */
const DEGREES_MAX = 1e8

/** Of whole degrees of freedom, which reports ask for again and again. */
const criticalValues = new Map<number, number>()
const KNOWN_MAX = 10_000
