// Works on a story map of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { waitFor } from './backlog-items.ts'
import { DESK, driveConsole, signInAs } from './drive.ts'
import type { SignedIn } from './ideas-page.ts'
import { check, inspect, isTooWide, lookEverywhere, NARROWEST, serviceUrl } from './inspect.ts'
import { call } from './session.ts'
import { editParts, openMap } from './story-map-parts.ts'
import { AT, createSample, EMPTY_PRODUCT, PRODUCT, readStep, type Sample } from './story-map-sample.ts'

const cell = (page: Page, step: number, lane: number | 'none'): Locator =>
  page.locator(`td[data-step="${step}"][data-lane="${lane}"]`)
const card = (within: Page | Locator, key: string): Locator => within.locator(`.work[data-key="${key}"]`)
const dock = (page: Page): Locator => page.getByRole('complementary', { name: /^Unplaced/ })
const sent = (page: Page, method: string) =>
  page.waitForResponse((response) => response.request().method() === method && response.ok())

const hasFocus = async (page: Page, key: string): Promise<boolean> =>
  (await page.evaluate('document.activeElement?.id')) === `card-${key}`

const lookAtMap = (browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, width, look }) => {
    const page = await openMap(context, sample)
    await look(page, 'the story map')
    await page.getByRole('button', { name: 'Prepare', exact: true }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await look(page, 'the form of an activity')
    await page.keyboard.press('Escape')
    await card(page, sample.stories[0] ?? '')
      .getByRole('link')
      .focus()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Move here' }).waitFor()
    check(await page.getByRole('button', { name: 'Move here' }).isDisabled(), 'A move to the same place is offered')
    await page.getByText('The card is there already').waitFor()
    await look(page, 'the form of a move on the map')
    await page.keyboard.press('Escape')
    const isNarrow = width < 840
    check(
      (await dock(page).getByText('Tap “Place…”').isVisible()) === isNarrow,
      `The hint of the unplaced cards at ${width} px is for other hands`,
    )
    if (isNarrow) await placeByTouch(page, sample)
    await page.goto(`${serviceUrl}/console/story-map?product=${EMPTY_PRODUCT}`)
    await page.getByRole('heading', { name: 'No story map yet' }).waitFor()
    await look(page, 'a product without a map')
  })

/** A finger opens the form of a card, whose first choice is the first step. */
async function placeByTouch(page: Page, { plan, stories }: Sample): Promise<void> {
  const key = stories[3] ?? ''
  await dock(page)
    .getByRole('button', { name: `Place ${key}…` })
    .tap()
  const placed = sent(page, 'PUT')
  await page.getByRole('button', { name: 'Place here' }).tap()
  await card(cell(page, plan, 'none'), key).waitFor()
  await placed
  await card(page, key)
    .getByRole('button', { name: `Move ${key}` })
    .tap()
  await page.getByRole('combobox', { name: 'Step' }).selectOption({ label: 'Unplaced' })
  const removed = sent(page, 'DELETE')
  await page.getByRole('button', { name: 'Move here' }).tap()
  await card(dock(page), key).waitFor()
  await removed
}

/** A story comes onto the map, moves, goes off and comes back. */
async function placeByKeyboard(context: BrowserContext, sample: Sample): Promise<void> {
  const { plan, walk, lane, stories } = sample
  const [first = '', second = '', third = ''] = stories
  const page = await openMap(context, sample)
  await card(dock(page), second).getByRole('link').focus()
  await page.keyboard.press('Space')
  await page.getByText(`${second} is lifted: Unplaced`).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByText(`Moving ${second}: Walk and record, No swimlane, position 1 of 1`).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByText(`Moving ${second}: Walk and record, Version 5.0, position 1 of 1`).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByText(`Moving ${second}: Plan the round, Version 5.0, position 2 of 2`).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByText(`Moving ${second}: Plan the round, Version 5.0, position 1 of 2`).waitFor()
  const placed = sent(page, 'PUT')
  await page.keyboard.press('Enter')
  await card(cell(page, plan, lane), second).waitFor()
  await placed
  await waitFor('The keyboard does not store the place', async () => {
    const cards = await readStep(sample, plan)
    return cards.map(({ externalKey }) => externalKey).join() === [second, first].join()
  })
  await waitFor('A placed card loses the focus', () => hasFocus(page, second))
  await page.keyboard.press('j')
  await waitFor('J does not reach the next card', () => hasFocus(page, first))
  await page.keyboard.press('Space')
  await page.getByText(`${first} is lifted`).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(`${first} is where it was.`).waitFor()
  await page.keyboard.press('m')
  await page.getByRole('combobox', { name: 'Step' }).selectOption({ label: 'Walk and record' })
  await page.getByRole('combobox', { name: 'Swimlane' }).selectOption({ label: 'No swimlane' })
  const moved = sent(page, 'PUT')
  await page.getByRole('button', { name: 'Move here' }).focus()
  await page.keyboard.press('Enter')
  await card(cell(page, walk, 'none'), first).waitFor()
  await moved
  await waitFor('The form loses the focus', () => hasFocus(page, first))
  await page.keyboard.press('ArrowLeft')
  await waitFor('The arrow key does not reach the step before', () => hasFocus(page, second))
  const removed = sent(page, 'DELETE')
  await page.keyboard.press('Backspace')
  await page.getByText(`${second} was taken off the map`).waitFor()
  await card(dock(page), second).waitFor()
  await removed
  const restored = sent(page, 'PUT')
  await page.keyboard.press('z')
  await card(cell(page, plan, lane), second).waitFor()
  await restored
  await page.keyboard.press('-')
  await page.waitForURL(/zoom=75/)
  await page.keyboard.press('?')
  await page.getByText('Take off the map, with undo').waitFor()
  await page.getByText('Lift the card, which arrow keys then move').waitFor()
  await page.keyboard.press('Escape')
  check((await dock(page).getByText(third).count()) === 1, 'An unplaced story is not beside the map')
  await page.close()
}

/** Drags a card into a cell. */
async function dragByMouse(context: BrowserContext, sample: Sample): Promise<void> {
  const { walk, lane, stories } = sample
  const third = stories[2] ?? ''
  const page = await openMap(context, sample)
  const start = await card(dock(page), third).boundingBox()
  const end = await cell(page, walk, lane).boundingBox()
  if (!start || !end) return check(false, 'The map shows no card or no cell')
  const placed = sent(page, 'PUT')
  await page.mouse.move(start.x + 20, start.y + 12)
  await page.mouse.down()
  await page.mouse.move(start.x + 30, start.y + 20, { steps: 4 })
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 })
  await cell(page, walk, lane).locator('.drop').waitFor()
  await page.mouse.up()
  await card(cell(page, walk, lane), third).waitFor()
  await placed
  check(
    (await readStep(sample, walk)).some(({ externalKey, swimlaneId }) => externalKey === third && swimlaneId === lane),
    'A drag does not store the place',
  )
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.waitForURL(/zoom=125/)
  await page.emulateMedia({ media: 'print' })
  check(!(await dock(page).isVisible()), 'The print shows the unplaced stories')
  check(await page.locator('.map').isVisible(), 'The print does not show the map')
  await page.close()
}

/** Creates a map, renames it, removes it and takes the removal back. */
async function editMaps(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/story-map?product=${EMPTY_PRODUCT}`)
  await page.getByRole('button', { name: 'New map' }).click()
  await page.getByRole('textbox', { name: 'Title of the map' }).fill('A guest buys')
  await page.getByRole('button', { name: 'Create the map' }).click()
  await page.getByRole('heading', { name: 'This map has no activity yet' }).waitFor()
  await inspect(page, 'a map without an activity')
  await page.getByRole('button', { name: 'Add an activity' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Choose')
  await page.getByRole('button', { name: 'Create the activity' }).click()
  await page.getByRole('button', { name: 'Choose', exact: true }).waitFor()
  check(
    (await page.locator('.map .lane-h strong:not(.sr)').count()) === 0,
    'The only row of a map is named as if there were others',
  )
  await page.getByRole('button', { name: 'Rename or remove this map' }).click()
  await page.getByRole('textbox', { name: 'Title of the map' }).fill('A guest pays')
  await page.getByRole('button', { name: 'Save the title' }).click()
  await page.getByRole('heading', { level: 1, name: 'A guest pays' }).waitFor()
  await page.getByRole('button', { name: 'Rename or remove this map' }).click()
  await page.getByRole('button', { name: 'Remove the map' }).click()
  await page.getByRole('heading', { name: 'No story map yet' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { level: 1, name: 'A guest pays' }).waitFor()
  await page.close()
}

/** A card that the service refuses returns, and a card of somebody else appears. */
async function failAndFollow(context: BrowserContext, sample: Sample): Promise<void> {
  const { plan, lane, stories } = sample
  const fourth = stories[3] ?? ''
  // The page follows the events from its first read on.
  const page = await context.newPage()
  const followed = page.waitForResponse((response) => response.url().includes('order=newest'))
  await page.goto(`${serviceUrl}/console/story-map?product=${PRODUCT}&map=${sample.mapId}`)
  await card(dock(page), fourth).waitFor()
  await followed
  const answer = { status: 503, contentType: 'application/json', body: '{"error":"Down","message":"Out of order"}' }
  await page.route(`**/storyMap/${sample.mapId}/cards/${fourth}`, (route) => route.fulfill(answer))
  await card(dock(page), fourth).getByRole('link').focus()
  await page.keyboard.press('m')
  await page.getByRole('combobox', { name: 'Step' }).selectOption({ label: 'Plan the round' })
  await page.getByRole('button', { name: 'Place here' }).click()
  await page.getByText(`${fourth} was not moved`).waitFor()
  await card(dock(page), fourth).waitFor()
  await inspect(page, 'a refused move')
  await page.unroute(`**/storyMap/${sample.mapId}/cards/${fourth}`)
  await call('PUT', `${AT}/storyMap/${sample.mapId}/cards/${fourth}`, { stepId: plan, swimlaneId: lane })
  await card(cell(page, plan, lane), fourth).waitFor()
  await page.close()
}

async function lookAsViewer(browser: Browser, sample: Sample): Promise<void> {
  const context = await signInAs(browser, ['Vera', 'Viewer', 'viewer'], { locale: 'de-DE' })
  const page = await openMap(context, sample)
  await page.getByRole('table', { name: /^Story Map: Aktivitäten/ }).waitFor()
  await card(page, sample.stories[0] ?? '')
    .getByRole('link')
    .focus()
  for (const key of ['m', 'c', 'Backspace', 'Space']) await page.keyboard.press(key)
  check(
    (await page.getByRole('dialog').count()) + (await page.locator('.lift-note, .map button').count()) === 0,
    'A viewer can change the map',
  )
  await context.close()
}

await driveConsole('The story map of the console works', async (browser) => {
  const sample = await createSample()
  const context = await signInAs(browser, ['Mara', 'Mapper', 'member'], { missing: /\/storyMap\/\d+/ })
  const storageState = await context.storageState()
  await lookAtMap(browser, storageState, sample)
  await placeByKeyboard(context, sample)
  await dragByMouse(context, sample)
  await editMaps(context)
  const faulty = await browser.newContext({ storageState, ...DESK })
  await editParts(faulty, sample)
  await failAndFollow(faulty, sample)
  await faulty.close()
  await lookAsViewer(browser, sample)
  const narrow = await browser.newContext({ storageState, viewport: { width: NARROWEST, height: 700 } })
  const page = await openMap(narrow, sample)
  check(!(await isTooWide(page)), `The story map at ${NARROWEST} px scrolls sideways`)
})
