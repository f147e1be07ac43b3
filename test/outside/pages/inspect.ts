import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { UserProblem } from '../../../scripts/wrangler.ts'

export const serviceUrl = process.env.GROUNDWORK_URL ?? ''
export const apiKey = process.env.GROUNDWORK_KEY ?? ''

export const WIDTHS = [390, 1280]
/** The width of a desk at 400 %. */
export const NARROWEST = 320
export const SCHEMES = ['light', 'dark'] as const

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const problems: string[] = []
export const check = (isOk: boolean, problem: string): void => {
  if (!isOk) problems.push(problem)
}

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** Colors are all that differs in the dark. */
export const RULES_IN_THE_DARK = { runOnly: ['color-contrast'] }

export async function inspect(page: Page, at: string, rules: object = {}): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
  await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...rules }
  const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as { violations: Violation[] }
  for (const { id, nodes } of found.violations)
    problems.push(`${at}: ${id}: ${nodes.length} × ${nodes[0]?.target.join(' ')}: ${nodes[0]?.failureSummary}`)
  check(!(await isTooWide(page)), `${at}: the page scrolls sideways`)
}

/** The scripts have run, and fonts and pictures are there. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate(
    'Promise.all([document.fonts.ready, ...Array.from(document.images, (image) => image.decode().catch(() => undefined))]).then(() => undefined)',
  )
}

export const isTooWide = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth')

/**
 * A browser reports each failed request as an error. `missing` is expected to be missing: a path, or records whose
 * removal may overtake a read, and that refuse a change. The local service notices only at the end of a wait for events that the page is gone,
 * and refuses the sixth wait until then.
 */
export function watch(context: BrowserContext, missing?: string | RegExp): void {
  const isMissing = (url: string, text: string) =>
    missing instanceof RegExp
      ? missing.test(url) && /\b(?:400|404|409|412)\b/.test(text)
      : url === `${serviceUrl}${missing}`
  const isExpected = ({ url }: { url: string }, text: string) =>
    isMissing(url, text) || (url.includes('/api/v2/events?') && text.includes('429'))
  context.on('console', (message) => {
    if (isExpected(message.location(), message.text())) return
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.location().url}: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => check(request.url().startsWith(serviceUrl), `A request to ${request.url()}`))
}

interface LookOptions {
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>
  missingPath?: string
}

interface Look {
  context: BrowserContext
  width: number
  colorScheme: (typeof SCHEMES)[number]
  /** Inspects what the page shows now. */
  look: (page: Page, what: string) => Promise<void>
}

/** Looks at pages for somebody who has signed in, at each width, in light and in dark. */
export async function lookEverywhere(
  browser: Browser,
  { storageState, missingPath }: LookOptions,
  run: (at: Look) => Promise<void>,
): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const viewport = { width, height: 900 }
      const context = await browser.newContext({ storageState, colorScheme, viewport, hasTouch: width < 500 })
      watch(context, missingPath)
      const rules = colorScheme === 'dark' ? RULES_IN_THE_DARK : {}
      const look = (page: Page, what: string) => inspect(page, `${what} at ${width} px, ${colorScheme}`, rules)
      await run({ context, width, colorScheme, look })
      await context.close()
    }
  }
}

const FOCUS = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
})()`

export const showsFocus = async (page: Page): Promise<boolean> => Boolean(await page.evaluate(FOCUS))

/** What a page that did not come to its end shows, and the problems until then. */
async function describeEnd(browser: Browser): Promise<void> {
  for (const problem of problems) console.error(problem)
  for (const page of browser.contexts().flatMap((context) => context.pages()))
    console.error(`${page.url()}\n${await page.locator('body').textContent()}\n`)
}

/** The limit finds what never comes. A busy machine takes many times the usual time. */
const MAX_WAIT_MS = 300_000

/** A menu that fades away still takes part in the page, so that a check would find the old and the new one. */
function withoutMotion(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(MAX_WAIT_MS)
    return context
  }
  browser.newPage = async (options) => (await browser.newContext(options)).newPage()
  return browser
}

/** Fails with every problem that the checks have found. */
export async function inspectWithBrowser(run: (browser: Browser) => Promise<string>): Promise<void> {
  const executablePath = [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (file) => file !== undefined && existsSync(file),
  )
  if (!executablePath) throw new UserProblem('Install Chromium, or name its file in CHROME_PATH.')
  const browser = withoutMotion(await chromium.launch({ executablePath, args: ['--no-sandbox'] }))
  try {
    const report = await run(browser).catch(async (error: unknown) => {
      await describeEnd(browser)
      throw error
    })
    if (problems.length) throw new UserProblem(problems.join('\n'))
    console.log(report)
  } finally {
    await browser.close()
  }
}
