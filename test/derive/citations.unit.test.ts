import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isUnder, toCitation, toRegistrableDomain } from '../../src/derive/citations.ts'

function pageOf(url: string): string | null | undefined {
  return toCitation({ url })?.page
}

describe('page', () => {
  test.each([
    ['https://acme.com/crm?utm_source=openai', 'https://acme.com/crm'],
    ['https://Acme.COM/CRM/Über?Q=A%2fb+c&q=%7E', 'https://acme.com/CRM/%C3%9Cber?Q=A%2Fb+c&q=~'],
    ['http://acme.com:80/', 'http://acme.com/'],
    ['https://acme.com:443', 'https://acme.com'],
    ['https://acme.com:/x', 'https://acme.com/x'],
    ['https://acme.com:80/x', 'https://acme.com:80/x'],
    ['http://acme.com:8080?a', 'http://acme.com:8080?a'],
    ['https://user:pa@ss@acme.com/x#top', 'https://acme.com/x'],
    ['https://acme.com#:~:text=Bolt', 'https://acme.com'],
    ['https://acme.com/#/route?utm_source=x', 'https://acme.com/'],
    ['https://acme.com/a//b/../c/', 'https://acme.com/a//b/../c/'],
    ['https://acme.com./x', 'https://acme.com./x'],
    ['https://BÜCHER.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://[2001:DB8::1]:443/x', 'https://[2001:db8::1]/x'],
    ['  https://acme.com/x \n', 'https://acme.com/x'],
    ['HTTPS://acme.com/', 'https://acme.com/'],
  ])('of %j is %j', (url, page) => {
    expect(pageOf(url)).toBe(page)
  })

  test.each([
    ['?gclid=1', ''],
    ['?a=1&gclid=1&b=2', '?a=1&b=2'],
    ['?gclid=1&a=1', '?a=1'],
    ['?a=1&fbclid', '?a=1'],
    ['?UTM_Source=x&a=&a&=b', '?a=&a&=b'],
    ['?utm_source=x&', ''],
    ['?utm_source=a?b&c=d?e', '?c=d?e'],
    ['?', '?'],
    ['?&a&&b=1&', '?&a&&b=1&'],
    ['?q=gclid&xutm_source=1&my=utm_source=2', '?q=gclid&xutm_source=1&my=utm_source=2'],
    ['/utm_source=x/;gclid=1', '/utm_source=x/;gclid=1'],
  ])('the query %j leaves %j', (query, left) => {
    expect(pageOf(`https://acme.com${query}`)).toBe(`https://acme.com${left}`)
  })

  test('a parameter that tracks on one site only stays elsewhere', () => {
    expect(pageOf('https://www.youtube.com/watch?v=1&si=2&t=3')).toBe('https://www.youtube.com/watch?v=1&t=3')
    expect(pageOf('https://acme.com/watch?v=1&si=2&t=3')).toBe('https://acme.com/watch?v=1&si=2&t=3')
  })

  test('of a page is the page itself, and tracking parameters in any place make no difference', () => {
    const part = fc.string({
      unit: fc.constantFrom('%2F', '%C3%BC', '%25', ...Array.from("aB0-_.~+=;,:@!$'()*")),
    })
    const parameter = fc
      .tuple(fc.constantFrom('q', 'id', 'A', 'ref', 'x%5B'), part)
      .map(([name, value]) => `${name}=${value}`)
    const tracking = fc
      .tuple(fc.constantFrom('utm_source', 'gclid', 'fbclid', 'msclkid', 'utm_x'), part)
      .map(([name, value]) => `${name}=${value}`)
    const query = fc.array(fc.tuple(parameter, fc.option(tracking)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(part, query, fc.constantFrom('', '#f?gclid=1'), (path, query, fragment) => {
        const clean = `https://acme.com/${path}?${query.map(([kept]) => kept).join('&')}`
        const given = `https://ACME.com/${path}?${query.map(([kept, dropped]) => (dropped === null ? kept : `${kept}&${dropped}`)).join('&')}${fragment}`
        expect(pageOf(given)).toBe(clean)
        expect(pageOf(clean)).toBe(clean)
      }),
    )
  })
})

describe('a link through a redirect', () => {
  const TARGET = 'https://acme.com/crm?a=1&b=%C3%96'
  const bing = `a1${Buffer.from(TARGET).toString('base64url')}`

  test.each([
    `https://www.google.com/url?q=${encodeURIComponent(TARGET)}&sa=U`,
    `HTTPS://google.co.uk/url?sa=t&url=${encodeURIComponent(`${TARGET}&utm_source=google#top`)}`,
    `https://www.bing.com/ck/a?!&&p=1f&u=${bing}&ntb=1`,
    `https://l.facebook.com/l.php?u=${encodeURIComponent(TARGET)}&h=AT0`,
    `https://www.linkedin.com/redir/redirect?url=${encodeURIComponent(TARGET)}&urlhash=x`,
    `https://www.linkedin.com/redir/redirect/?url=${encodeURIComponent(TARGET)}`,
    `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(TARGET)}&data=05`,
    `https://l.facebook.com/l.php?u=${encodeURIComponent(`https://www.google.com/url?q=${encodeURIComponent(TARGET)}`)}`,
  ])('counts as its target: %j', (url) => {
    expect(toCitation({ url })).toEqual({ url, title: '', page: TARGET, host: 'acme.com', domain: 'acme.com' })
  })

  test.each([
    ['https://www.google.com/url?sa=t', 'https://www.google.com/url?sa=t'],
    ['https://www.google.com/url?q=best+crm', 'https://www.google.com/url?q=best+crm'],
    ['https://www.google.com/url?q=javascript:alert(1)', 'https://www.google.com/url?q=javascript:alert(1)'],
    ['https://www.google.com/search?q=https://acme.com', 'https://www.google.com/search?q=https://acme.com'],
    ['https://notgoogle.com/url?q=https://acme.com', 'https://notgoogle.com/url?q=https://acme.com'],
    ['https://google.acme.com/url?q=https://acme.com', 'https://google.acme.com/url?q=https://acme.com'],
    ['https://www.bing.com/ck/a?u=a1', 'https://www.bing.com/ck/a?u=a1'],
    ['https://www.google.com/url?q=https://acme.com/%25E9', 'https://acme.com/%E9'],
    ['https://www.google.com/url?q=https://acme.com/%E9', 'https://acme.com/%E9'],
  ])('the page of %j is %j', (url, page) => {
    expect(pageOf(url)).toBe(page)
  })

  test('that wraps itself without end ends', () => {
    const wrap = (url: string): string => `https://www.google.com/url?q=${encodeURIComponent(url)}`
    const url = Array.from({ length: 8 }).reduce<string>(wrap, 'https://acme.com/')
    expect(toCitation({ url })?.domain).toBe('google.com')
  })
})

describe('percent-encoding', () => {
  test.each([
    ['https://de.wikipedia.org/wiki/Ökostrom', 'https://de.wikipedia.org/wiki/%C3%96kostrom'],
    ['https://de.wikipedia.org/wiki/%c3%96kostrom', 'https://de.wikipedia.org/wiki/%C3%96kostrom'],
    ['https://acme.com/%7Eme/%41%2d%2f?q=%5f%2B😀', 'https://acme.com/~me/A-%2F?q=_%2B%F0%9F%98%80'],
    ['https://acme.com/100%/%zz%e', 'https://acme.com/100%/%zz%e'],
    ['https://acme.com/?%75tm_source=x&%61=1', 'https://acme.com/?a=1'],
    ['https://acme.com/%ff', 'https://acme.com/%FF'],
  ])('the page of %j is %j', (url, page) => {
    expect(pageOf(url)).toBe(page)
  })
})

describe('host and domain', () => {
  test.each([
    ['https://en.Wikipedia.org/wiki/A', 'en.wikipedia.org', 'wikipedia.org'],
    ['https://acme.github.io/x', 'acme.github.io', 'acme.github.io'],
    ['https://docs.acme.github.io', 'docs.acme.github.io', 'acme.github.io'],
    ['https://news.bbc.co.uk', 'news.bbc.co.uk', 'bbc.co.uk'],
    ['https://github.io', 'github.io', 'github.io'],
    ['http://127.0.0.1:8080/', '127.0.0.1', '127.0.0.1'],
    ['http://[::1]/', '::1', '::1'],
    ['http://localhost/', 'localhost', 'localhost'],
    ['https://www.acme.com.', 'www.acme.com', 'acme.com'],
    ['https://www.BÜCHER.example', 'www.xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['https://www.xn--bcher-kva.example', 'www.xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['https://my_shop.acme.com', 'my_shop.acme.com', 'acme.com'],
  ])('of %j', (url, host, domain) => {
    expect(toCitation({ url })).toMatchObject({ host, domain })
  })
})

describe('toCitation', () => {
  test('keeps url and title as they were given', () => {
    const url = ' https://Acme.com/?utm_source=openai#x'
    expect(toCitation({ url, title: ' A  “b” ' })).toEqual({
      url,
      title: ' A  “b” ',
      page: 'https://acme.com/',
      host: 'acme.com',
      domain: 'acme.com',
    })
    expect(toCitation({ url: 'https://acme.com' })?.title).toBe('')
  })

  test.each(
    [
      '',
      'acme.com',
      '//acme.com',
      '/crm',
      'ftp://acme.com',
      'https:acme.com',
      'https:/acme.com',
      'https:///acme.com',
      'https://',
      'https://?q',
    ].concat([
      'https://a b.com',
      'https://acme.com:99999',
      'https://user@',
      'javascript:alert(1)',
      'mailto:x@acme.com',
      'https:\\\\acme.com',
      'see https://acme.com',
    ]),
  )('%j is no absolute http(s) URL', (url) => {
    expect(toCitation({ url })).toBeUndefined()
  })

  const REDIRECT = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AAA'

  const ELSEWHERE = 'https://redirect.example.net/to/1'

  test.each([
    ['acme.example', 'acme.example', 'acme.example'],
    ['Blog.ACME.co.uk', 'blog.acme.co.uk', 'acme.co.uk'],
    ['www.acme.example', 'www.acme.example', 'acme.example'],
    ['https://WWW.acme.example/crm', 'www.acme.example', 'acme.example'],
    ['www.com', 'www.com', 'www.com'],
    ['acme.github.io', 'acme.github.io', 'acme.github.io'],
  ])('a link that only redirects belongs to the domain %j that its record names', (given, host, domain) => {
    const cited = { title: 't', host, domain }
    expect(toCitation({ url: ELSEWHERE, title: 't', domain: given })).toEqual({
      ...cited,
      url: ELSEWHERE,
      page: `https://${host}/`,
    })
    expect(toCitation({ url: REDIRECT, title: 't', domain: given })).toEqual({ ...cited, url: REDIRECT, page: null })
  })

  test.each([
    ['https://acme.com/crm', 'acme.com', 'https://acme.com/crm'],
    ['https://www.acme.com/crm', 'acme.com', 'https://www.acme.com/crm'],
    ['https://acme.com/crm', 'WWW.acme.com', 'https://acme.com/crm'],
    ['https://acme.com/crm', 'blog.acme.com', 'https://blog.acme.com/'],
    ['https://www.google.com/url?q=https://acme.com/crm', 'google.com', 'https://acme.com/crm'],
    ['https://www.google.com/url?q=https://acme.com/crm', 'bolt.example', 'https://acme.com/crm'],
  ])('the page of %j with the domain %j is %j', (url, domain, page) => {
    expect(toCitation({ url, domain })?.page).toBe(page)
  })

  test.each(['Acme CRM, the best', 'acme', '', '-'])('%j names no domain, the URL counts', (domain) => {
    expect(toCitation({ url: REDIRECT, domain })).toMatchObject({ page: REDIRECT, domain: 'google.com' })
  })

  test('a named domain makes no citation of what is no URL', () => {
    expect(toCitation({ url: 'acme', domain: 'acme.com' })).toBeUndefined()
  })
})

test('isUnder holds for a domain and what is below it', () => {
  const hosts = ['acme.com', 'www.acme.com', 'a.b.acme.com', 'myacme.com', 'acme.com.evil.org', 'com', '']
  expect(hosts.filter((host) => isUnder(host, 'acme.com'))).toEqual(['acme.com', 'www.acme.com', 'a.b.acme.com'])
})

test('toRegistrableDomain gives what is no domain back', () => {
  expect(
    ['en.wikipedia.org', 'co.uk', '10.0.0.1', '::1', 'intranet', ''].map((host) => toRegistrableDomain(host)),
  ).toEqual(['wikipedia.org', 'co.uk', '10.0.0.1', '::1', 'intranet', ''])
})
