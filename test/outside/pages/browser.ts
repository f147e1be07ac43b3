// Looks at every kind of page in Chromium: light and dark, at the width of a phone and of a desk, with axe.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain, UserProblem } from '../../../scripts/wrangler.ts'

const url = process.env.GROUNDWORK_URL ?? ''
const key = process.env.GROUNDWORK_KEY ?? ''

const KINDS = [
  '/',
  '/docs',
  '/docs?q=export',
  '/docs/guides',
  '/docs/guides/webhooks',
  '/docs/api-conventions',
  '/docs/importing',
  '/docs/reference/epics',
  '/docs/reference/imports',
  '/docs/reference/epics/createEpic',
  '/docs/reference/backlog/importBacklog',
  '/docs/reference/feedback/listFeedbackItems',
  '/docs/reference/events/listEvents',
  '/docs/errors',
  '/docs/errors/validation_failed',
]
const WIDTHS = [390, 1280]
/** The width of a desk at 400 %. */
const NARROWEST = 320
const SCHEMES = ['light', 'dark'] as const

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const problems: string[] = []
const check = (isOk: boolean, problem: string) => {
  if (!isOk) problems.push(problem)
}

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** Colors are all that differs in the dark. */
const RULES_IN_THE_DARK = { runOnly: ['color-contrast'] }

async function inspect(page: Page, at: string, rules: object = {}): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
  await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...rules }
  const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as { violations: Violation[] }
  for (const { id, nodes } of found.violations)
    problems.push(`${at}: ${id}: ${nodes.length} × ${nodes[0]?.target.join(' ')}: ${nodes[0]?.failureSummary}`)
  check(!(await isTooWide(page)), `${at}: the page scrolls sideways`)
}

const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

function watch(context: BrowserContext): void {
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.location().url}: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => check(request.url().startsWith(url), `A request to ${request.url()}`))
}

async function lookAtKinds(browser: Awaited<ReturnType<typeof chromium.launch>>): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, hasTouch: width < 500 })
      watch(context)
      const page = await context.newPage()
      for (const path of KINDS) {
        await page.goto(url + path, { waitUntil: 'networkidle' })
        await inspect(page, `${path} at ${width} px, ${colorScheme}`, colorScheme === 'dark' ? RULES_IN_THE_DARK : {})
      }
      await context.close()
    }
  }
  const page = await browser.newPage({ viewport: { width: NARROWEST, height: 700 } })
  for (const path of KINDS) {
    await page.goto(url + path)
    check(!(await isTooWide(page)), `${path} at ${NARROWEST} px scrolls sideways`)
  }
  await page.close()
}

const FOCUS = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
})()`

async function useKeyboardAndSearch(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/docs/guides/limits`)
  await page.keyboard.press('Tab')
  check((await page.locator(':focus').textContent()) === 'Skip to the content', 'The first stop is not the skip link')
  for (let stop = 0; stop < 12; stop++) {
    check(Boolean(await page.evaluate(FOCUS)), `Stop ${stop + 1} of the keyboard shows no focus`)
    await page.keyboard.press('Tab')
  }
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await page.keyboard.type('export members')
  await page.locator('#found a').first().waitFor()
  await inspect(page, 'the open search')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/exportMembers')
  await page.fill('#search-words', 'RICE')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs?q=RICE')
  const first = page.locator('#results a').first()
  check((await first.getAttribute('href')) === '/docs/reference/backlog/scoreWorkItem', 'RICE finds another page first')
  await page.close()
}

async function tryCalls(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/docs/reference/epics/createEpic`)
  await page.fill('#try-key', `Bearer ${key}`)
  await page.getByRole('button', { name: 'Send POST' }).click()
  await page.locator('#try-status', { hasText: 'Status 200' }).waitFor()
  check(((await page.textContent('#try-answer')) ?? '').includes('"Epic saved"'), 'Try it shows no answer')
  await inspect(page, 'try it with an answer')
  await page.goto(`${url}/docs/reference/epics/listEpics`)
  check((await page.inputValue('#try-key')) === key, 'The key did not stay in the tab')
  await page.locator('#try summary').click()
  await page.fill('#query-limit', '1')
  await page.getByRole('button', { name: 'Send GET' }).click()
  await page.locator('#try-status', { hasText: 'Status 200' }).waitFor()
  check(((await page.textContent('#try-answer')) ?? '').includes('x-next-cursor'), 'Try it shows no headers')
  const other = await context.newPage()
  await other.goto(`${url}/docs/reference/epics/listEpics`)
  check((await other.inputValue('#try-key')) === '', 'The key is in another tab')
  await other.fill('#try-key', 'wrong')
  await other.getByRole('button', { name: 'Send GET' }).click()
  await other.locator('#try-status', { hasText: 'Status 401' }).waitFor()
  await page.close()
  await other.close()
}

async function readWithoutScripts(browser: Awaited<ReturnType<typeof chromium.launch>>): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${url}/docs/reference/epics/createEpic`)
  check(await page.getByText('curl "$GROUNDWORK_URL').isVisible(), 'The samples need scripts')
  check(!(await page.locator('#try').isVisible()), 'Without scripts, try it is a form that does nothing')
  await page.fill('#search-words', 'export members')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs?q=export+members')
  check(
    await page.getByRole('link', { name: 'Export the members' }).isVisible(),
    'The list of operations needs scripts',
  )
  await context.close()
}

await runMain(async () => {
  const executablePath = [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (file) => file !== undefined && existsSync(file),
  )
  if (!executablePath) throw new UserProblem('Install Chromium, or name its file in CHROME_PATH.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    await lookAtKinds(browser)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    await useKeyboardAndSearch(context)
    await tryCalls(context)
    await readWithoutScripts(browser)
  } finally {
    await browser.close()
  }
  if (problems.length) throw new UserProblem(problems.join('\n'))
  console.log(`${KINDS.length} pages, ${WIDTHS.length} widths, light and dark: no finding.`)
})
