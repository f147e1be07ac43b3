// Works on the board by mouse and by keyboard alone.
import type { BrowserContext, Page } from 'playwright-core'
import { type Keys, SMALL, waitFor } from './backlog-items.ts'
import { check, inspect, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const card = (page: Page, column: string, key: string) =>
  page.getByRole('region', { name: column, exact: true }).locator(`.work[data-key="${key}"]`)

const readProgress = async (key: string) =>
  (await call<{ progress: string }>('GET', `/api/initiatives/${SMALL}/storyMap/card/${key}`)).progress

/** A card goes to the next column by keyboard, and on by mouse. */
export async function workOnBoard(context: BrowserContext, { stories }: Keys): Promise<void> {
  const third = stories[2] ?? ''
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/board?product=${SMALL}`)
  await card(page, 'To do', third).getByRole('link').focus()
  await page.keyboard.press('Space')
  await page.getByText(`${third} is lifted: To do`).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText(`Moving ${third}: In progress`).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(`${third} was moved to In progress.`).waitFor()
  await page.keyboard.press('z')
  await card(page, 'To do', third).waitFor()
  await waitFor('The undo does not store the progress', async () => (await readProgress(third)) === 'to-do')
  await card(page, 'To do', third).getByRole('link').focus()
  await page.keyboard.press('Space')
  await page.getByText(`${third} is lifted: To do`).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await card(page, 'In progress', third).waitFor()
  await waitFor(
    'A moved card loses the focus',
    async () => (await page.evaluate('document.activeElement.id')) === `card-${third}`,
  )
  const start = await card(page, 'In progress', third).boundingBox()
  const end = await page.getByRole('region', { name: 'Done', exact: true }).boundingBox()
  if (!start || !end) return check(false, 'The board shows no card or no column')
  await page.mouse.move(start.x + 20, start.y + start.height - 8)
  await page.mouse.down()
  await page.mouse.move(start.x + 30, start.y + start.height, { steps: 4 })
  await page.mouse.move(end.x + 60, end.y + 200, { steps: 8 })
  const done = page.getByRole('region', { name: 'Done', exact: true })
  await done.locator('.drop').waitFor()
  const line = await done.locator('ul > li').evaluateAll((all) => all.findIndex((one) => one.matches('.drop')))
  await page.getByText(`${third}: Done, position ${line + 1} of`).waitFor()
  await page.mouse.up()
  await card(page, 'Done', third).waitFor()
  check((await shownCards(page, 'Done')).indexOf(third) === line, 'A card does not land where the line was')
  await page.getByText(`${third} was moved to Done.`).waitFor()
  await waitFor('The board does not store the progress', async () => (await readProgress(third)) === 'done')
  check((await shownCards(page, 'Done')).indexOf(third) === line, 'A stored card does not stand where the line was')
  await page.keyboard.press('?')
  await page.getByText('Lift the card, which left and right then move').waitFor()
  await page.keyboard.press('Escape')
  await page.close()
}

const shownCards = (page: Page, column: string): Promise<string[]> =>
  page
    .getByRole('region', { name: column, exact: true })
    .locator('.work')
    .evaluateAll((cards) => cards.map((one) => one.getAttribute('data-key') ?? ''))

/** Cards of one parent change their order by keys and by the form of the visible button; lanes stand in the address. */
export async function orderBoard(context: BrowserContext, { epic }: Keys): Promise<void> {
  const { id: epicId } = await call<{ id: number }>('GET', `/api/initiatives/${SMALL}/epics/${epic}`)
  const create = async (summary: string) =>
    (await call<{ externalKey: string }>('POST', `/api/initiatives/${SMALL}/storyMap/card`, { summary, epicId }))
      .externalKey
  const [first, second] = [await create('Sort by day'), await create('Sort by place')]
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/board?product=${SMALL}`)
  await card(page, 'To do', second).getByRole('link').focus()
  const isBefore = async (one: string, other: string) => {
    const keys = await shownCards(page, 'To do')
    return keys.indexOf(one) < keys.indexOf(other)
  }
  const stepped = page.waitForResponse((response) => response.url().endsWith('/move'))
  await page.keyboard.press('Alt+ArrowUp')
  await waitFor('Alt with an arrow key does not reorder cards', () => isBefore(second, first))
  check((await stepped).ok(), 'The order of cards was refused')
  await page.getByRole('button', { name: `Move ${second}` }).click()
  await page.getByLabel('Position').selectOption(first)
  await inspect(page, 'the form of a move on the board')
  const moved = page.waitForResponse((response) => response.url().endsWith('/move'))
  await page.getByRole('button', { name: 'Move here' }).click()
  await waitFor('The form does not reorder cards', () => isBefore(first, second))
  check((await moved).ok(), 'The order of the form was refused')
  const restored = page.waitForResponse((response) => response.url().endsWith('/move'))
  await page.getByText(`${second} was moved.`).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await waitFor('The undo does not restore the order', () => isBefore(second, first))
  check((await restored).ok(), 'The undo was refused')
  await page.getByLabel('Group by').selectOption('parent')
  const lane = page.getByRole('region', { name: 'Work without a network' })
  await lane.locator(`.work[data-key="${second}"]`).waitFor()
  check(new URL(page.url()).searchParams.get('group') === 'parent', 'The address does not hold the lanes')
  await inspect(page, 'the lanes of the board')
  await page.close()
}
