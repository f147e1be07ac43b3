// Works in the backlog by mouse and by keyboard alone.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { loseConnections } from './backlog-faults.ts'
import { createItems, focused, type Keys, openBacklog, row, SMALL, shownKeys, waitFor } from './backlog-items.ts'
import { measureScrolling } from './backlog-scrolling.ts'
import { writeBacklog } from './backlog-writing.ts'
import { orderBoard, workOnBoard } from './board.ts'
import { createPerson } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl, watch } from './inspect.ts'
import { tryItem, workOnItem } from './item.ts'
import { describeItem } from './item-description.ts'
import { call, signIn } from './session.ts'
import { hideEvents, readOtherName } from './two-people.ts'

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

const lookAtBacklog = (browser: Browser, storageState: SignedIn, keys: Keys): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await openBacklog(context)
    await look(page, 'the backlog')
    await page.locator('tr[data-key]').first().focus()
    await page.keyboard.press('x')
    await page.getByRole('toolbar').waitFor()
    await look(page, 'a selection in the backlog')
    await page.keyboard.press('m')
    await page.getByRole('dialog').waitFor()
    await look(page, 'the form of a move')
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await page.getByRole('dialog').waitFor()
    await look(page, 'the form of a new item')
    await page.goto(`${serviceUrl}/console/board?product=${SMALL}`)
    await page.locator('.work').first().waitFor()
    await look(page, 'the board')
    await page.goto(`${serviceUrl}/console/backlog/${keys.feature}?product=${SMALL}`)
    await page.getByRole('heading', { name: 'Queue of photos' }).waitFor()
    await page.getByRole('heading', { name: 'Trace' }).waitFor()
    await look(page, 'an item')
    await page.getByRole('button', { name: 'Edit the description' }).click()
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    await look(page, 'the editor of a description')
  })

async function workByKeyboard(context: BrowserContext, { epic, feature, stories, other }: Keys): Promise<void> {
  const [first = '', second = '', third = ''] = stories
  const page = await openBacklog(context)
  await page.keyboard.press('ArrowDown')
  await waitFor('The arrow key does not go to the first row', async () => (await focused(page)) === epic)
  await page.keyboard.press('ArrowLeft')
  await row(page, feature).waitFor({ state: 'hidden' })
  check(new URL(page.url()).searchParams.has('open'), 'The address does not hold the closed branch')
  await page.keyboard.press('ArrowRight')
  for (const key of [feature, first, second]) {
    await page.keyboard.press('j')
    await waitFor(`J does not reach ${key}`, async () => (await focused(page)) === key)
  }
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: `Summary of ${second}` }).fill('Count all photos')
  await page.keyboard.press('Tab')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await row(page, second).getByText('Count all photos').waitFor()
  await row(page, second).getByRole('gridcell', { name: '5', exact: true }).waitFor()
  check((await focused(page)) === second, 'Editing loses the focus')
  await page.keyboard.press('s')
  await page.locator('dialog button[aria-pressed="true"]:focus').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await row(page, second).getByText('In progress').waitFor()
  await waitFor('Choosing a progress loses the focus', async () => (await focused(page)) === second)
  await page.keyboard.press('Alt+ArrowUp')
  await waitFor('Alt with an arrow key does not reorder', async () => {
    const keys = await shownKeys(page)
    return keys.indexOf(second) < keys.indexOf(first)
  })
  await page.keyboard.press('Space')
  await page.getByText(`${second} is lifted`).waitFor()
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await page.getByText(`${second} is where it was`).waitFor()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.getByText(`Moving ${second}: parent`).waitFor()
  await page.keyboard.press('Enter')
  await waitFor('Enter does not drop the row', async () => (await shownKeys(page)).indexOf(second) > 2)
  await page.locator(`tr[data-key="${third}"]`).focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByRole('toolbar', { name: '2 items selected' }).waitFor()
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByLabel('Parent').selectOption(other)
  await page.getByRole('button', { name: 'Move here' }).focus()
  await page.keyboard.press('Enter')
  await waitFor(
    'The form does not move the items',
    async () => (await shownKeys(page)).indexOf(third) > (await shownKeys(page)).indexOf(other),
  )
  await page.keyboard.press('Escape')
  await page.locator(`tr[data-key="${third}"]`).focus()
  await page.keyboard.press('Backspace')
  await page.getByText(`${third} was removed.`).waitFor()
  check((await page.evaluate('document.activeElement.matches("tr[data-key]")')) === true, 'A removal loses the focus')
  await page.keyboard.press('z')
  await row(page, third).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog').getByLabel('Summary').fill('A new epic')
  await page.getByRole('dialog').getByLabel('Epic').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Create the epic' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('A new epic').waitFor()
  await page.close()
}

/** Drags a row to the middle of another row. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  const start = await row(page, from).boundingBox()
  const end = await row(page, to).boundingBox()
  if (!start || !end) return check(false, `${from} or ${to} is not shown`)
  await page.mouse.move(start.x + 500, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + 510, start.y + start.height / 2 + 6, { steps: 4 })
  await page.mouse.move(end.x + 500, end.y + end.height / 2, { steps: 8 })
  await page.locator(`tr[data-key="${to}"][data-drop="into"]`).waitFor()
  await page.mouse.up()
}

async function workByMouse(context: BrowserContext, { feature, stories, other }: Keys): Promise<void> {
  const [first = ''] = stories
  const page = await openBacklog(context)
  await row(page, feature).waitFor()
  await drag(page, feature, other)
  await waitFor('A drag does not move the feature', async () => {
    const { items } = await call<{ items: { externalKey: string; children: { externalKey: string }[] }[] }>(
      'GET',
      `/api/initiatives/${SMALL}/backlog`,
    )
    return items.some(
      ({ externalKey, children }) => externalKey === other && children.some((child) => child.externalKey === feature),
    )
  })
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Version', { exact: true }).selectOption({ label: 'Spring' })
  await waitFor('The filter of a version keeps other items', async () => (await shownKeys(page)).at(-1) === first)
  await page.reload()
  await row(page, first).waitFor()
  await page.getByRole('button', { name: /^Remove filter/ }).click()
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('nothing like this')
  await page.getByRole('heading', { name: 'No item matches these filters' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await row(page, other).waitFor()
  await page.close()
}

/** Somebody else changes the title while the page is open: the person chooses. */
async function meetConflict(browser: Browser, storageState: SignedIn, { other }: Keys): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  await hideEvents(context)
  const page = await openBacklog(context)
  await row(page, other).focus()
  await page.keyboard.press('e')
  await call('PUT', `/api/initiatives/${SMALL}/epics/${other}`, { summary: 'Reports of others', progress: 'done' })
  await page.getByRole('textbox', { name: `Summary of ${other}` }).fill('My reports')
  await page.keyboard.press('Enter')
  await page.getByText(`${await readOtherName()} changed this meanwhile: ${other} summary`).waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('Reports of others').first().waitFor()
  await inspect(page, 'a conflict in the backlog')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await row(page, other).getByText('My reports').waitFor()
  await waitFor('The kept title is not stored', async () => {
    const { summary } = await call<{ summary: string }>('GET', `/api/initiatives/${SMALL}/epics/${other}`)
    return summary === 'My reports'
  })
  await context.close()
}

export async function lookAtBacklogAsViewer(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog?product=${SMALL}`)
  await page.locator('tr[data-key]').first().waitFor()
  check((await page.getByRole('checkbox').count()) === 0, 'A viewer can select items')
  check((await page.getByRole('button', { name: 'Neu' }).count()) === 0, 'A viewer can create items')
  await page.locator('tr[data-key]').first().focus()
  for (const key of ['e', 'm', 'c', 's', 'Backspace', 'Space']) await page.keyboard.press(key)
  check(
    (await page.getByRole('dialog').count()) + (await page.locator('.input.inline, .lift-note').count()) === 0,
    'A key of a viewer changes items',
  )
  await page.close()
}

export async function tryBacklog(browser: Browser, storageState: SignedIn): Promise<string> {
  const keys = await createItems()
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  watch(context)
  await lookAtBacklog(browser, storageState, keys)
  await workByKeyboard(context, keys)
  await workByMouse(context, keys)
  await workOnItem(context, keys)
  await describeItem(context)
  await workOnBoard(context, keys)
  await orderBoard(context, keys)
  await meetConflict(browser, storageState, keys)
  await writeBacklog(browser, keys)
  await loseConnections(browser, keys)
  await tryItem(browser)
  await context.close()
  // A session has a thousand units of the rate limit in a minute.
  const scrolling = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  watch(scrolling)
  await signIn(scrolling, await createPerson('Sven', 'Scroll', 'member'))
  const report = await measureScrolling(scrolling)
  await scrolling.close()
  return report
}
