import { keepChoice, readChoice } from './kept-choice.ts'
import { redraw } from './redraw.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEPT_AS = 'theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const kept = readChoice(KEPT_AS)
let choice: ThemeChoice = kept === 'light' || kept === 'dark' ? kept : 'system'

/** What the reader chose; kept by the browser. */
export const getThemeChoice = (): ThemeChoice => choice

export function chooseTheme(chosen: ThemeChoice): void {
  choice = chosen
  showChoice()
  redraw()
  keepChoice(KEPT_AS, choice)
}

/** Shows the theme from now on. */
export function followTheme(): void {
  showChoice()
  prefersDark.addEventListener('change', showChoice)
  // Paper is light.
  addEventListener('beforeprint', () => show('light'))
  addEventListener('afterprint', showChoice)
}

function showChoice(): void {
  const system = prefersDark.matches ? 'dark' : 'light'
  show(choice === 'system' ? system : choice)
}

function show(theme: 'light' | 'dark'): void {
  document.documentElement.dataset['theme'] = theme
}
