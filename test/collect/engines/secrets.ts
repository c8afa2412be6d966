/** What the engines take as secrets: with signs that a URL, a header and Base64 write differently. */
export const TEST_SECRETS = {
  openai: 'sk-proj-Zq7+vR/4dK=w1&x%41~open',
  anthropic: 'sk-ant-Yb3+mT/9fH=c2&y%42~anth',
  gemini: 'AIza-Wc5+nU/8gJ=e3&z%43~gemi',
  perplexity: 'pplx-Vd6+oV/7hL=f4&a%44~perp',
  searchapi: 'sapi-Uf8+pW/6jM=g5&b%45~sear',
  serpapi: 'serp-Tg9+qX/5kN=h6&c%46~serp',
  dataforseo: 'operator@acme.com:Sh1+rY/3lP=j7&d%47~data',
  brightdata: 'brd-Rj2+sZ/2mQ=k8&e%48~brig',
  oxylabs: 'oxy_user:Qk4+tA/1nR=l9&f%49~oxyl',
  custom: 'gw-Pl5+uB/0oS=m1&g%50~cust',
} as const

export type EngineProvider = keyof typeof TEST_SECRETS

/** The environment that brings them to the program. */
export function secretEnvironment(secrets: Readonly<Record<string, string>> = TEST_SECRETS): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).map(([provider, secret]) => [`ANSWERLAKE_SECRET_${provider.toUpperCase()}`, secret]),
  )
}

/** All ways in which a secret may be written: as it is, in a URL, in Base64, in JSON, and the halves of `user:password`. */
export function spellingsOf(secret: string): readonly string[] {
  const halves = secret.includes(':') ? [secret, secret.slice(secret.indexOf(':') + 1)] : [secret]
  const base64 = Buffer.from(secret).toString('base64')
  const plain = halves.flatMap((text) => [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ a: text }).toString().slice(2),
  ])
  return [...new Set([...plain, base64, base64.replace(/=+$/, ''), Buffer.from(secret).toString('base64url')])]
}
