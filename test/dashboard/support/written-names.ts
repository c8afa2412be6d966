/** How pages write the words of the API that stand at the heads of tables. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  ai_overviews: ['Google AI Overviews'],
  ai_mode: ['Google AI Mode'],
  chatgpt: ['ChatGPT'],
  duck_ai: ['Duck.ai'],
  meta_ai: ['Meta AI'],
  you: ['You.com'],
  openai: ['OpenAI'],
  bytedance: ['ByteDance'],
  commoncrawl: ['Common Crawl'],
  duckduckgo: ['DuckDuckGo'],
  xai: ['xAI'],
  deepseek: ['DeepSeek'],
  ai_training: ['Training data'],
  index: ['Search index'],
  ai_assistant: ['Asked by a person'],
  ai_agent: ['Agent'],
  blog_editorial: ['Blog and editorial'],
  product_page: ['Products'],
  docs_support: ['Docs and support'],
  landing_page: ['Landing pages'],
  brand_about: ['About the brand'],
  ugc_page: ['Community'],
  technical_infra: ['Files for machines'],
  other: ['Other pages'],
}

/** The names of a word; one that is in no list is written with a capital, and blanks for its dashes. */
export function toWrittenNames(word: string): readonly string[] {
  const words = word.replaceAll('_', ' ')
  return [...(WRITTEN[word] ?? []), words.charAt(0).toUpperCase() + words.slice(1)]
}
