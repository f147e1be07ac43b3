// Works through the ideas of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { driveConsole, type GermanLook, lookInGerman, signInAs } from './drive.ts'
import { CHECKLIST, open, rowOf, type SignedIn, titleOf } from './ideas-page.ts'
import { editTogether, saveWithoutNetwork, unmergeLater } from './ideas-together.ts'
import {
  answerByKeyboard,
  answerByMouse,
  createAndExport,
  decide,
  mergeAndPromote,
  workInBulk,
} from './ideas-writing.ts'
import { check, isTooWide, lookEverywhere, NARROWEST, serviceUrl, watch } from './inspect.ts'
import { createSampleIdeas, type SampleIdeas } from './sample-ideas.ts'
import { call } from './session.ts'

const lookAtInbox = (browser: Browser, storageState: SignedIn, { keys }: SampleIdeas): Promise<void> =>
  lookEverywhere(
    browser,
    { storageState, missingPath: '/api/feedback-items/IDEA-999999' },
    async ({ context, look }) => {
      const page = await open(context, '/ideas')
      await rowOf(page, CHECKLIST).waitFor()
      await look(page, 'the ideas')
      await page.getByRole('button', { name: 'Filter and sort' }).click()
      await page.getByRole('combobox', { name: 'Sort' }).waitFor()
      await look(page, 'the filters')
      await page.goto(`${serviceUrl}/console/ideas?q=nothingwouldmatch`)
      await page.getByText('No idea matches these filters').waitFor()
      await look(page, 'a list without a match')
      await page.goto(`${serviceUrl}/console/ideas?idea=${keys.at(-1)}`)
      await page.getByText('For us it would be 40 schools.').waitFor()
      await look(page, 'an idea')
      await page.goto(`${serviceUrl}/console/ideas?idea=IDEA-999999`)
      await page.getByText('This idea does not exist').waitFor()
      await look(page, 'a missing idea')
    },
  )

/** The address holds the filters and the idea. */
async function filterByMouse(context: BrowserContext): Promise<void> {
  const page = await open(context, '/ideas')
  await page.getByRole('link', { name: 'Under review' }).click()
  await rowOf(page, 'Weather at the time of the visit').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Most votes')
  await page.keyboard.press('Escape')
  await page.waitForURL('**/ideas?sort=most-voted')
  await page.getByRole('searchbox', { name: 'Search ideas' }).fill('checklist')
  await page.waitForURL('**q=checklist**')
  await rowOf(page, 'Sign in with Microsoft').waitFor({ state: 'hidden' })
  await rowOf(page, CHECKLIST).click()
  await titleOf(page, CHECKLIST).waitFor()
  await page.reload()
  await titleOf(page, CHECKLIST).waitFor()
  check((await page.getByRole('searchbox').inputValue()) === 'checklist', 'A reload loses the search')
  await page.getByRole('link', { name: 'Duplicate a checklist for another building' }).last().click()
  await titleOf(page, 'Duplicate a checklist for another building').waitFor()
  await page.goBack()
  await titleOf(page, CHECKLIST).waitFor()
  await page.close()
}

async function readByKeyboard(context: BrowserContext): Promise<void> {
  const page = await open(context, '/imports')
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await rowOf(page, CHECKLIST).waitFor()
  await page.keyboard.press('j')
  await titleOf(page, CHECKLIST).waitFor()
  await page.keyboard.press('ArrowDown')
  await titleOf(page, 'Duplicate a checklist for another building').waitFor()
  await page.keyboard.press('k')
  await titleOf(page, CHECKLIST).waitFor()
  await page.keyboard.press('Enter')
  const isFocused = () => titleOf(page, CHECKLIST).evaluate((title) => title.matches(':focus'))
  await page.locator('#idea-title:focus').waitFor()
  check(await isFocused(), 'Enter does not lead to the idea')
  await page.keyboard.press('Escape')
  await page.waitForURL('**/console/ideas')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Dictate')
  await page
    .getByRole('option', { name: /^Dictate notes/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await titleOf(page, 'Dictate notes while wearing gloves').waitFor()
  await page.close()
}

/** A list beside its detail becomes two steps. */
async function readOnPhone(browser: Browser, storageState: SignedIn): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 390, height: 800 }, hasTouch: true })
  watch(context)
  const page = await open(context, '/ideas')
  await rowOf(page, CHECKLIST).click()
  await titleOf(page, CHECKLIST).waitFor()
  check(!(await page.getByRole('searchbox').isVisible()), 'The list stands above the idea on a phone')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await rowOf(page, CHECKLIST).waitFor()
  await page.setViewportSize({ width: NARROWEST, height: 700 })
  check(!(await isTooWide(page)), `The ideas at ${NARROWEST} px scroll sideways`)
  await context.close()
}

/** New ideas wait behind a button, and a changed row stays in its place. */
async function followIdeas(context: BrowserContext, { product, keys }: SampleIdeas): Promise<void> {
  const [changed, added] = [`Weather ${readClock()}`, `Print the report ${readClock()}`]
  const page = await context.newPage()
  const followed = page.waitForResponse((response) => response.url().includes('order=newest'))
  await page.goto(`${serviceUrl}/console/ideas`)
  await rowOf(page, CHECKLIST).waitFor()
  await followed
  await call('PUT', `/api/feedback-items/${keys[0]}`, { title: changed })
  await call('POST', '/api/feedback-items', { title: added, product })
  await page.getByRole('button', { name: '1 new idea' }).waitFor()
  await rowOf(page, changed).waitFor()
  check((await rowOf(page, added).count()) === 0, 'A new idea moves the rows')
  await page.getByRole('button', { name: '1 new idea' }).click()
  await rowOf(page, added).waitFor()
  await page.close()
}

async function readAsViewer(browser: Browser): Promise<void> {
  const lookAtIdea = async ({ page, look, hasNoAction }: GermanLook) => {
    await page.getByRole('heading', { level: 1, name: 'Ideen' }).waitFor()
    await rowOf(page, CHECKLIST).click()
    await titleOf(page, CHECKLIST).waitFor()
    await page.getByText('hat geschrieben').first().waitFor()
    await hasNoAction('Schlagwort hinzufügen', 'Titel bearbeiten', /^Antworten/)
    await look('an idea')
  }
  await lookInGerman(browser, '/ideas', lookAtIdea, { width: 1280 })
}

async function readInbox(browser: Browser, sample: SampleIdeas): Promise<void> {
  const context = await signInAs(browser, ['Hanna', 'Krüger', 'member'])
  const storageState = await context.storageState()
  await lookAtInbox(browser, storageState, sample)
  await filterByMouse(context)
  await readByKeyboard(context)
  await readOnPhone(browser, storageState)
  await readAsViewer(browser)
  await mergeAndPromote(browser, storageState, sample)
  await workInBulk(browser, storageState, sample)
  await context.close()
}

await driveConsole('The ideas of the console work', async (browser) => {
  const sample = await createSampleIdeas('Plumbline Inspect')
  await readInbox(browser, sample)
  const context = await signInAs(browser, ['Emil', 'Berg', 'member'])
  const storageState = await context.storageState()
  await createAndExport(browser, sample)
  await answerByMouse(context, sample)
  await answerByKeyboard(context, sample)
  await decide(context, sample)
  await editTogether(browser, storageState, sample)
  await unmergeLater(browser, storageState, sample)
  await saveWithoutNetwork(browser, storageState, sample)
  await followIdeas(context, sample)
})
