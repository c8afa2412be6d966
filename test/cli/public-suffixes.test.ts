import { expect, test } from 'vitest'
import { makeDirectory, run, runJson } from './support/run.ts'

test('a public suffix is refused as the domain of a site or of a competitor', async () => {
  const dataDir = makeDirectory()
  await runJson(dataDir, 'sites', 'create', '--name', 'Acme', '--domain', 'acme.co.uk')
  await runJson(
    dataDir,
    'competitors',
    'add',
    '--site',
    'acme.co.uk',
    '--name',
    'Globex',
    '--domain',
    'globex.github.io',
  )
  const site = ['--site', 'acme.co.uk'] as const
  for (const [suffix, ...argv] of [
    ['co.uk', 'sites', 'create', '--name', 'Other', '--domain', 'https://CO.UK/'],
    ['github.io', 'sites', 'set', 'acme.co.uk', '--domain', 'github.io'],
    ['co.uk', 'competitors', 'add', ...site, '--name', 'Other', '--domain', 'other.com', '--domain', 'co.uk'],
    ['github.io', 'competitors', 'set', ...site, 'Globex', '--domain', 'github.io'],
  ] as const) {
    const { status, stdout, stderr } = await run([...argv, '--data-dir', dataDir])
    expect({ argv, status, stdout }).toEqual({ argv, status: 2, stdout: '' })
    expect(stderr).toContain(
      `answerlake: ${suffix} is a public suffix: names under it belong to many others; give the domain below it, such as acme.${suffix}\n`,
    )
  }
  const { data } = await runJson<{ data: { domain: string }[] }>(dataDir, 'sites', 'list')
  expect(data.map(({ domain }) => domain)).toEqual(['acme.co.uk'])
})
