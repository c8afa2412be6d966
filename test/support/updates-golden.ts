/**
 * Whether a run of the tests writes the golden files (`UPDATE_GOLDEN=1`). Where `CI` is set it refuses: a run that
 * writes what it then compares with passes whatever the program does.
 */
export function updatesGolden(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment['UPDATE_GOLDEN'] !== '1') return false
  if ((environment['CI'] ?? '') === '') return true
  throw new Error(
    'UPDATE_GOLDEN is refused where CI is set: run `npm run golden` on your machine, read the changes and commit them.',
  )
}
