// Every screen of the console in Los Angeles and in Auckland at the same moment. What has no time of the day reads the same.
import type { Browser, Page } from 'playwright-core'
import { UserProblem } from '../../../scripts/wrangler.ts'
import { readClock } from '../../clock.ts'
import { pollUntil } from '../../poll.ts'
import { DESK, drive, signInAs } from './drive.ts'
import { serviceUrl, watch } from './inspect.ts'
import { createScreens, type Screen } from './screens.ts'

const ZONES = ['America/Los_Angeles', 'Pacific/Auckland'] as const

/** A moment as the console writes it in English, and the zone that a form names. */
const TIMED_PATTERN = /\b[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M|\b(?:America|Pacific)\/\w+/gu

/** A session has a thousand units of the rate limit in a minute. */
const SCREENS_OF_A_SESSION = 8

/** The text, the names in titles and the values of days. */
const READ_MAIN = `(() => {
  const main = document.querySelector('main')
  const titles = Array.from(main.querySelectorAll('[title]'), ({ title }) => title)
  const days = Array.from(main.querySelectorAll('input[type="date"]'), ({ value }) => value)
  return [main.innerText, ...titles, ...days].join('\\n')
})()`

const readScreen = async (page: Page): Promise<string> =>
  String(await page.evaluate(READ_MAIN)).replaceAll(TIMED_PATTERN, '(a moment)')

/** Signs a person in, and opens a page in each zone. */
async function openZones(browser: Browser, name: string, now: number): Promise<Page[]> {
  const signedIn = await signInAs(browser, [name, 'Owner', 'owner'])
  const storageState = await signedIn.storageState()
  await signedIn.close()
  return Promise.all(
    ZONES.map(async (timezoneId) => {
      const context = await browser.newContext({ ...DESK, storageState, timezoneId, locale: 'en-US' })
      watch(context)
      await context.clock.setFixedTime(now)
      return context.newPage()
    }),
  )
}

/** Lines of one text that the other does not have. */
const findMissing = (text: string, other: string) =>
  text.split('\n').filter((line) => !other.split('\n').includes(line))

async function compare(pages: readonly Page[], screen: Screen): Promise<void> {
  for (const page of pages) {
    await page.goto(`${serviceUrl}/console${screen.path}`)
    await page.locator(screen.shown).first().waitFor()
  }
  let texts: string[] = []
  const isSame = async () => {
    texts = await Promise.all(pages.map(readScreen))
    return texts[0] === texts[1]
  }
  await pollUntil(`${screen.name} differs`, isSame).catch(() => {
    const [west = '', east = ''] = texts
    const [here, there] = [findMissing(west, east), findMissing(east, west)].map((lines) => lines.join(' | '))
    throw new UserProblem(`${screen.name}: "${here}" is "${there}" in the east.`)
  })
}

await drive(async (browser) => {
  const screens = await createScreens()
  const now = readClock()
  for (let first = 0; first < screens.length; first += SCREENS_OF_A_SESSION) {
    const pages = await openZones(browser, `Zoe${first}`, now)
    for (const screen of screens.slice(first, first + SCREENS_OF_A_SESSION)) await compare(pages, screen)
    for (const page of pages) await page.context().close()
  }
  return `${screens.length} screens show the same days in ${ZONES.join(' and ')}.`
})
