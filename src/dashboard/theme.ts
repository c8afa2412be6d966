import { effect, signal } from '@preact/signals'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEPT_AS = 'theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = signal<'light' | 'dark'>(prefersDark.matches ? 'dark' : 'light')

/** What the reader chose; kept by the browser. */
export const themeChoice = signal<ThemeChoice>(readChoice())

/** What is shown. */
const readTheme = (): 'light' | 'dark' => (themeChoice.value === 'system' ? systemTheme.value : themeChoice.value)

/** Shows the theme, and keeps the choice. */
export function followTheme(): void {
  prefersDark.addEventListener('change', ({ matches }) => {
    systemTheme.value = matches ? 'dark' : 'light'
  })
  effect(() => {
    document.documentElement.dataset['theme'] = readTheme()
  })
  // Paper is light.
  addEventListener('beforeprint', () => {
    document.documentElement.dataset['theme'] = 'light'
  })
  addEventListener('afterprint', () => {
    document.documentElement.dataset['theme'] = readTheme()
  })
  effect(() => {
    try {
      localStorage.setItem(KEPT_AS, themeChoice.value)
    } catch {
      // A browser that keeps nothing shows the system's theme the next time.
    }
  })
}

function readChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEPT_AS)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}
