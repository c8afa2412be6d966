/** Today in UTC, `YYYY-MM-DD`, by the browser's clock. */
export const today = (): string => new Date().toISOString().slice(0, 10)
