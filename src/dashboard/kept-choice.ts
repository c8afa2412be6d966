/** What the reader chose in this browser before; null for nothing, and in a browser that keeps nothing. */
export function readChoice(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function keepChoice(name: string, choice: string): void {
  try {
    localStorage.setItem(name, choice)
  } catch {
    // Then it holds for this visit.
  }
}
