// Looks at every kind of page in Chromium: light and dark, at the width of a phone and of a desk, with axe.
import type { Browser, BrowserContext } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import {
  check,
  inspect,
  inspectWithBrowser,
  isTooWide,
  apiKey as key,
  NARROWEST,
  RULES_IN_THE_DARK,
  SCHEMES,
  showsFocus,
  serviceUrl as url,
  WIDTHS,
  waitUntilLoaded,
  watch,
} from './inspect.ts'

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
async function lookAtKinds(browser: Browser): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, hasTouch: width < 500 })
      watch(context)
      const page = await context.newPage()
      for (const path of KINDS) {
        await page.goto(url + path)
        await waitUntilLoaded(page)
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

async function useKeyboardAndSearch(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/docs/guides/limits`)
  await page.keyboard.press('Tab')
  check((await page.locator(':focus').textContent()) === 'Skip to the content', 'The first stop is not the skip link')
  for (let stop = 0; stop < 12; stop++) {
    check(await showsFocus(page), `Stop ${stop + 1} of the keyboard shows no focus`)
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

async function readWithoutScripts(browser: Browser): Promise<void> {
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

await runMain(() =>
  inspectWithBrowser(async (browser) => {
    await lookAtKinds(browser)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    await useKeyboardAndSearch(context)
    await tryCalls(context)
    await readWithoutScripts(browser)
    return `${KINDS.length} pages, ${WIDTHS.length} widths, light and dark: no finding.`
  }),
)
