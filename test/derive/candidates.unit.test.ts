import { describe, expect, test } from 'vitest'
import { findCandidateNames } from '../../src/derive/candidates.ts'
import { isGenericLabel } from '../../src/derive/generic-labels.ts'

describe('lists of products', () => {
  test('bold items of a numbered list, without what is said about them', () => {
    const text = `Here are the best CRMs for dentists:

1. **HubSpot** – great marketing [1]
   - **Pricing**: free plan
   - **Free Plan**: up to five users
2. **Zoho CRM:** cheap
3. **[Pipedrive](https://pipedrive.com?utm_source=openai)** - sales
4. **monday.com (Best for Teams)** is flexible
5) __Acme Cloud__

I'd start with **HubSpot**.`
    expect(findCandidateNames(text)).toEqual(['HubSpot', 'Zoho CRM', 'Pipedrive', 'monday.com', 'Acme Cloud'])
  })

  test('headings, and not the lists below them', () => {
    const text = `## Top 5 CRM Tools

### 1. HubSpot CRM
**Best for:** startups
- **Pros:** easy
- **Free Plan**: yes

### 2. Salesforce: The Giant
- **Cons:** dear

### 🥉 **Yahoo! Small Business**

## Key Takeaways
## Final Thoughts`
    expect(findCandidateNames(text)).toEqual(['HubSpot CRM', 'Salesforce', 'Yahoo! Small Business'])
  })

  test('bullets, bold or linked', () => {
    expect(findCandidateNames('* **Notion** – docs\n* **Box**\n+ **Dropbox**, files')).toEqual([
      'Notion',
      'Box',
      'Dropbox',
    ])
    expect(findCandidateNames('- [Notion](https://notion.so) docs\n- [**Box**](https://box.com)')).toEqual([
      'Notion',
      'Box',
    ])
  })

  test('bold lines that begin with a number', () => {
    expect(findCandidateNames('**1. Acme Cloud** – one\n\nText.\n\n**2. Bolt**\n\nText.')).toEqual([
      'Acme Cloud',
      'Bolt',
    ])
  })

  test('names in other scripts, with punctuation and entities, as they are written', () => {
    const text =
      '1. **De\u0301cathlon**\n2. **小米**\n3. **C++ Builders**\n4. **AT&amp;T**\n5. **Yahoo!**\n6. **n8n**\n7. **Café de Paris**'
    expect(findCandidateNames(text)).toEqual([
      'Décathlon',
      '小米',
      'C++ Builders',
      'AT&T',
      'Yahoo!',
      'n8n',
      'Café de Paris',
    ])
  })

  test('a name comes once, however it is written', () => {
    expect(findCandidateNames('- **Acme**\n- **Bolt**\n- **ACME**\n## Acme\n## Corto')).toEqual([
      'Acme',
      'Corto',
      'Bolt',
    ])
  })
})

describe('what is no product', () => {
  test.each([
    ['a single item', '- **Acme**: the only one'],
    ['bold words in prose', 'Try **Acme** or **Bolt**.\n\n**Acme** is cheap.\n**Bolt** is fast.'],
    [
      'headings of any answer',
      '## Overview\n## Pros\n## Cons\n## Pricing\n## Key Features\n## Best for Small Teams\n## Conclusion',
    ],
    [
      'labels of any list',
      '* **Price:** $5\n* **Ease of Use:** good\n* **Customer Support:** 24/7\n* **Best for:** teams',
    ],
    [
      'labels in German and French',
      '- **Vorteile**: a\n- **Preis**: b\n- **Fazit**: c\n- **Avantages**: d\n- **Prix**: e',
    ],
    [
      'sentences',
      '1. **Start with a free trial.**\n2. **Which one is right for you?**\n3. **Ask your team what they need first**',
    ],
    ['features in lower case', '- **Email tracking**: yes\n- **Lead scoring**: yes'],
    ['long labels', `- **${'Acme '.repeat(6)}**\n- **${'A'.repeat(61)}**\n- **${'Bolt'.repeat(200)}**`],
    ['numbers', '1. **2026**\n2. **24/7**\n3. **$29**'],
    ['comparisons', '### Acme vs Bolt\n### Acme vs. Corto\n### Bolt Versus Corto'],
    ['links', '- **https://acme.com**\n- **www.bolt.com**'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(findCandidateNames(text)).toEqual([])
  })

  test('bullets among numbered names describe those', () => {
    expect(
      findCandidateNames('1. **Acme**\n- **Free Plan**: x\n- **Mobile App**: y\n2. **Bolt**\n- **Free Plan**: z'),
    ).toEqual(['Acme', 'Bolt'])
  })

  test('a list of one section is not continued in the next', () => {
    expect(findCandidateNames('## For Teams\n- **Acme**: x\n## For Others\n- **Bolt**: y')).toEqual([])
  })

  test.each(['- **', '- [', '# ', '**1. ', '- **a: ', '1. **A\n', '- **(', '- ** '])(
    'half a million of %j take no long time',
    (piece) => {
      const started = performance.now()
      expect(findCandidateNames(piece.repeat(500_000 / piece.length)).length).toBeLessThan(2)
      expect(performance.now() - started).toBeLessThan(5_000)
    },
  )
})

test('isGenericLabel knows labels by their words', () => {
  const labels = [
    'Pros',
    'Best for Teams',
    'Key features',
    'Preis',
    'HubSpot Pricing',
    '5 Tips',
    'HubSpot',
    'Target',
    'The North Face',
    'Box',
  ]
  expect(labels.filter((label) => isGenericLabel(label.split(' ')))).toEqual(labels.slice(0, 6))
})
