/** Lines of a combined log: hits of GPTBot and visits from ChatGPT on some paths, `count` of each. */
export function makeLogLines(month: string, day: number, count = 3): string[] {
  const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const [year, no] = month.split('-')
  const at = (minute: number): string =>
    `${String(day).padStart(2, '0')}/${names[Number(no) - 1]}/${year}:10:${String(minute).padStart(2, '0')}:00 +0000`
  return Array.from({ length: count }, (_, index) => [
    `203.0.113.7 - - [${at(index)}] "GET /docs/${index} HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"`,
    `203.0.113.8 - - [${at(index)}] "GET /pricing/${index} HTTP/1.1" 200 10 "https://chatgpt.com/" "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0"`,
  ]).flat()
}
