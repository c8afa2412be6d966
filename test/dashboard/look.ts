/**
 * Takes pictures of pages of the dashboard on the demo, signed in as an owner:
 *
 *     node test/dashboard/look.ts /sites/fernwick.example/overview [PATH …] [--dark] [--width 390] [--all]
 *         [--window] [--scroll 900] [--axe] [--click SELECTOR …] [--member | --nobody] [--height 900] [--out FILE.png | DIRECTORY]
 *
 * `--all` takes both themes at 1280 and 390 pixels, `--window` only what the window shows, `--axe` adds what axe-core finds. Says what the browser complained of.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDemoService } from '../http/support/demo-service.ts'
import { addUser, findViolations, openBrowser, openVisit, settle } from './support/browser.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dark: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    member: { type: 'boolean', default: false },
    nobody: { type: 'boolean', default: false },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '900' },
    axe: { type: 'boolean', default: false },
    window: { type: 'boolean', default: false },
    scroll: { type: 'string', default: '0' },
    click: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: '/tmp/look' },
  },
})

const service = await openDemoService()
const browser = await openBrowser()
try {
  const [organization] = service.app.catalog.organizations.list()
  if (organization === undefined) throw new Error('The demo has no organization.')
  const role = values.member ? 'member' : 'owner'
  const userId = await addUser(service, { organizationId: organization.id, mail: `${role}@fernwick.example`, role })
  const looks = values.all
    ? [false, true].flatMap((isDark) => [1280, 390].map((width) => ({ isDark, width })))
    : [{ isDark: values.dark, width: Number(values.width) }]
  for (const path of positionals) {
    for (const { isDark, width } of looks) await look(path, { isDark, width, userId })
  }
} finally {
  await browser.close()
  await service.close()
}

async function look(path: string, how: { readonly isDark: boolean; readonly width: number; readonly userId: string }) {
  const { isDark, width, userId } = how
  const visit = await openVisit(browser, service, {
    ...(values.nobody ? {} : { userId }),
    viewport: { width, height: Number(values.height) },
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const { page } = visit
  await page.goto(path)
  await settle(page).catch((error: unknown) => console.log(String(error)))
  for (const selector of values.click) {
    await page.click(selector)
    await settle(page).catch((error: unknown) => console.log(String(error)))
  }
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) console.log(`${path} at ${width}: ${overflow} px wider than the window`)
  await page.evaluate(`scrollTo(0, ${Number(values.scroll)})`)
  const file = toFile(path, `${isDark ? 'dark' : 'light'}-${width}`)
  await page.screenshot({ path: file, fullPage: !values.window && values.scroll === '0' })
  console.log(file)
  if (values.axe) for (const violation of await findViolations(page)) console.log(`  ${violation}`)
  for (const fault of visit.faults) console.log(`  ${fault}`)
  await page.context().close()
}

function toFile(path: string, how: string): string {
  if (values.out.endsWith('.png')) return values.out
  mkdirSync(values.out, { recursive: true })
  const name = path.replace(/[^\w-]+/g, '_').replace(/^_|_$/g, '')
  return join(values.out, `${name}-${how}.png`)
}
