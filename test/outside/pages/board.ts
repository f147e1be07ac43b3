// Works on the board by mouse and by keyboard alone.
import type { BrowserContext, Page } from 'playwright-core'
import { type Keys, SMALL, waitFor } from './backlog-items.ts'
import { check, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const card = (page: Page, column: string, key: string) =>
  page.getByRole('region', { name: column, exact: true }).locator(`.work[data-key="${key}"]`)

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
  await page.mouse.up()
  await card(page, 'Done', third).waitFor()
  await waitFor('The board does not store the progress', async () => {
    const { progress } = await call<{ progress: string }>('GET', `/api/initiatives/${SMALL}/storyMap/card/${third}`)
    return progress === 'done'
  })
  await page.close()
}
