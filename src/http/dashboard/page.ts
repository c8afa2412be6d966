import type { AssetFiles } from './asset-files.ts'

/** What pages and their files carry beside the headers of every answer (contract/dashboard 2). */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const

/** White waves on a tile of its own colour, which tabs show alike in light and dark. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0f5c7a"/><path d="M2 6q2-2 4 0t4 0 4 0M2 10q2-2 4 0t4 0 4 0" fill="none" stroke="#fff" stroke-width="1.5"/></svg>`

/** The one page that every view begins as, for files under `base`; the script does the rest. */
export function renderPage(base: string, files: AssetFiles): string {
  // The browser need not read `app.js` to know what it can't run without. Other scripts are asked for when they are needed.
  const needed = listImports(files, 'app.js')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>answerlake</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<link rel="stylesheet" href="${base}/app.css">
<script type="module" src="${base}/app.js"></script>
${needed.map((name) => `<link rel="modulepreload" href="${base}/${name}">\n`).join('')}</head>
<body>
<div id="app"><p class="not-started">The dashboard has not started. <a href="">Load the page again</a></p></div>
<noscript>The dashboard needs JavaScript. The same numbers are under /v1.</noscript>
</body>
</html>
`
}

/** The scripts that a built script imports, with those that they import. */
function listImports(files: AssetFiles, name: string): string[] {
  const own = Array.from((files[name] ?? '').matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g), ([, one = '']) => one)
  return [...new Set(own.flatMap((one) => [one, ...listImports(files, one)]))]
}
