import type { EngineId, Sentiment } from '../../../src/domain/enums.ts'
import type { Prompt } from './prompts.ts'
import type { SeededRandom } from './random.ts'
import type { Brand } from './world.ts'

/** What an answer says, before it is put into words. */
export interface AnswerPlan {
  readonly engine: EngineId
  readonly prompt: Prompt
  /** Brands in the order in which the text names them first. */
  readonly named: readonly Brand[]
  readonly tone: Sentiment
  readonly citationCount: number
  readonly random: SeededRandom
}

/** How an engine formats its answers. */
export interface Style {
  readonly targetLength: readonly [number, number]
  readonly heading: (text: string) => string
  readonly bullet: string
  readonly bold: boolean
  readonly tables: boolean
  readonly markers: boolean
  readonly asksBack: boolean
  /** Share of the lists that are written as paragraphs. */
  readonly paragraphs: number
}

export const STYLES: Readonly<Record<EngineId, Style>> = {
  ai_overviews: style([400, 600], (text) => `${text}:`, '•', { bold: false }),
  ai_mode: style([480, 820], (text) => `**${text}**`, '*', { tables: true }),
  chatgpt: style([540, 980], (text) => `### ${text}`, '-', { tables: true, asksBack: true }),
  perplexity: style([480, 820], (text) => `## ${text}`, '-', { markers: true }),
  gemini: style([500, 900], (text) => `## ${text}`, '*', { tables: true }),
  copilot: style([420, 680], (text) => `**${text}**`, '-', { markers: true, asksBack: true, paragraphs: 0.5 }),
  claude: style([480, 900], (text) => `${text}:`, '-', { bold: false, asksBack: true, paragraphs: 0.7 }),
}

function style(
  targetLength: readonly [number, number],
  heading: (text: string) => string,
  bullet: string,
  traits: Partial<Omit<Style, 'targetLength' | 'heading' | 'bullet'>>,
): Style {
  return {
    targetLength,
    heading,
    bullet,
    bold: true,
    tables: false,
    markers: false,
    asksBack: false,
    paragraphs: 0.25,
    ...traits,
  }
}
