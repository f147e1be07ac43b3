// Looks at the pages of a portal in Chromium, and uses the pages by mouse, by keyboard and without scripts.
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import {
  check,
  inspect,
  inspectWithBrowser,
  isTooWide,
  NARROWEST,
  RULES_IN_THE_DARK,
  SCHEMES,
  serviceUrl,
  showsFocus,
  WIDTHS,
  waitUntilLoaded,
  watch,
} from './inspect.ts'
import { createSamplePortal, type SamplePortal } from './sample-portal.ts'
import { takePart } from './take-part.ts'
import { useWidget } from './widget.ts'

/** In all, with styles and scripts. */
const MAX_PAGE_BYTES = 30_000
const MAX_SHIFT = 0.01

const MEASURE_SHIFT = `new Promise((resolve) => {
  let sum = 0
  const observer = new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value })
  observer.observe({ type: 'layout-shift', buffered: true })
  // The shifts of a frame are known in the frame after the next.
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => {
    for (const entry of observer.takeRecords()) sum += entry.value
    resolve(sum)
  })))
})`

async function lookAtPages(browser: Browser, { paths, missingPath }: SamplePortal): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, hasTouch: width < 500 })
      watch(context, missingPath)
      const page = await context.newPage()
      for (const path of paths) {
        await page.goto(serviceUrl + path)
        await waitUntilLoaded(page)
        check(Number(await page.evaluate(MEASURE_SHIFT)) < MAX_SHIFT, `${path} at ${width} px moves while loading`)
        await inspect(page, `${path} at ${width} px, ${colorScheme}`, colorScheme === 'dark' ? RULES_IN_THE_DARK : {})
      }
      await context.close()
    }
  }
  const page = await browser.newPage({ viewport: { width: NARROWEST, height: 700 } })
  for (const path of paths) {
    await page.goto(serviceUrl + path)
    check(!(await isTooWide(page)), `${path} at ${NARROWEST} px scrolls sideways`)
  }
  await page.close()
}

async function weighPages(context: BrowserContext, { paths }: SamplePortal): Promise<void> {
  for (const path of paths) {
    const page = await context.newPage()
    const weights: Promise<number>[] = []
    page.on('response', (response) => weights.push(response.body().then((body) => gzipSync(body).length)))
    await page.goto(serviceUrl + path)
    await waitUntilLoaded(page)
    const weight = (await Promise.all(weights)).reduce((sum, bytes) => sum + bytes, 0)
    check(weight <= MAX_PAGE_BYTES, `${path} weighs ${weight} bytes in all (at most ${MAX_PAGE_BYTES})`)
    await page.close()
  }
}

/** The main path of a reader: sort, search, open an idea, go back, and see the roadmap in another language. */
async function readByMouse(context: BrowserContext, { base, title }: SamplePortal): Promise<void> {
  const page = await context.newPage()
  await page.goto(serviceUrl + base)
  await page.getByRole('link', { name: 'Top', exact: true }).click()
  await page.waitForURL('**?sort=top')
  await page.getByRole('button', { name: 'Status' }).click()
  await inspect(page, 'the open list of statuses')
  await page.getByRole('link', { name: 'Planned' }).click()
  await page.waitForURL('**status=*')
  await page.goto(`${serviceUrl}${base}?q=nothing-like-this`)
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('link', { name: 'All ideas' }).click()
  await page.getByRole('link', { name: 'Roadmap' }).click()
  await page.getByRole('heading', { level: 1, name: 'Roadmap' }).waitFor()
  await page.getByRole('link', { name: 'Changelog', exact: true }).click()
  await page.getByRole('link', { name: 'Fixed' }).click()
  await page.waitForURL('**?label=Fixed')
  await page.getByRole('link', { name: 'Photos keep their rotation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Photos keep their rotation' }).waitFor()
  const feed = await page.request.get(
    serviceUrl + (await page.getAttribute('link[type="application/atom+xml"]', 'href')),
  )
  check(
    (await feed.text()).includes(page.url().replace(serviceUrl, '')),
    'The feed does not lead to the page of an entry',
  )
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.getByRole('link', { name: 'Ideen', exact: true }).waitFor()
  await page.close()
}

async function switchTheme(context: BrowserContext, { base }: SamplePortal): Promise<void> {
  const page = await context.newPage()
  await page.goto(serviceUrl + base)
  const theme = () => page.locator('html').getAttribute('data-theme')
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  check((await theme()) === 'dark', 'The switch does not show the dark theme')
  await page.reload()
  check((await theme()) === 'dark', 'The chosen theme is gone after a reload')
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  check((await theme()) === 'light', 'The switch does not show the light theme again')
  await page.close()
}

const focusedText = async (page: Page) => (await page.locator(':focus').textContent())?.trim()

async function readByKeyboard(context: BrowserContext, { base, title }: SamplePortal): Promise<void> {
  const page = await context.newPage()
  await page.goto(serviceUrl + base)
  await page.keyboard.press('Tab')
  check((await focusedText(page)) === 'Skip to content', 'The first stop is not the skip link')
  await page.keyboard.press('Enter')
  for (let stop = 1; stop < 30 && (await focusedText(page)) !== title; stop++) {
    await page.keyboard.press('Tab')
    const isStretched = await page.evaluate('document.activeElement.classList.contains("stretch")')
    check(isStretched === true || (await showsFocus(page)), `Stop ${stop} of the keyboard shows no focus`)
  }
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('link', { name: 'All ideas' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('offline')
  await page.keyboard.press('Enter')
  await page.waitForURL('**?q=offline')
  const button = page.getByRole('button', { name: 'Status' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.locator('#statuses').waitFor()
  await page.keyboard.press('Escape')
  check(await button.evaluate((one) => one.matches(':focus')), 'Escape does not return the focus to the list')
  await page.close()
}

async function readWithoutScripts(browser: Browser, { base, title }: SamplePortal): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(serviceUrl + base)
  check(!(await page.getByRole('button', { name: 'Switch between' }).isVisible()), 'A button needs scripts')
  await page.fill('input[name=q]', 'offline')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.goto(`${serviceUrl}${base}/roadmap`)
  await page.selectOption('#category', { index: 1 })
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL('**?category=*')
  await context.close()
}

await runMain(() =>
  inspectWithBrowser(async (browser) => {
    const sample = await createSamplePortal()
    await lookAtPages(browser, sample)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    watch(context, sample.missingPath)
    await weighPages(context, sample)
    await readByMouse(context, sample)
    await switchTheme(context, sample)
    await readByKeyboard(context, sample)
    await readWithoutScripts(browser, sample)
    await takePart(browser, sample)
    await useWidget(browser, sample)
    return `${sample.paths.length} pages of a portal, ${WIDTHS.length} widths, light and dark: no finding.`
  }),
)
