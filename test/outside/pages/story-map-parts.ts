// Creates, drags, removes and restores the activities, steps and swimlanes of a story map.
import type { BrowserContext, Page } from 'playwright-core'
import { waitFor } from './backlog-items.ts'
import { check, inspect, serviceUrl } from './inspect.ts'
import { call } from './session.ts'
import { AT, PRODUCT, readStored, type Sample } from './story-map-sample.ts'

export const openMap = async (context: BrowserContext, { mapId }: Sample, query = ''): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/story-map?product=${PRODUCT}&map=${mapId}${query}`)
  await page.locator('.map .work').first().waitFor()
  return page
}

/** Creates, renames, moves and removes the parts of a map. */
export async function editParts(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await openMap(context, sample)
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Title' }).fill('Hand over')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Hand over', exact: true }).waitFor()
  await page.getByRole('button', { name: 'New step in Hand over' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Get the signature')
  await page.getByRole('button', { name: 'Create the step' }).click()
  await page.getByRole('columnheader', { name: 'Get the signature' }).waitFor()
  await page.getByRole('button', { name: 'New swimlane' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Later')
  await page.getByRole('combobox', { name: 'Position' }).selectOption('First')
  await page.getByRole('button', { name: 'Create the swimlane' }).click()
  await page.getByRole('rowheader', { name: /^Later/ }).waitFor()
  check(
    (await readStored(sample)).swimlanes.map(({ title }) => title).join() === 'Later,Version 5.0',
    'A swimlane does not stand where the form says',
  )
  // Somebody else renames the step while the form is open.
  const read = page.waitForResponse(
    (response) => response.request().method() === 'GET' && /\/steps\/\d+$/.test(response.url()),
  )
  await page.getByRole('button', { name: 'Get the signature', exact: true }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Sign')
  await read
  const step = (await readStored(sample)).activities.at(-1)?.steps[0]?.id
  await call('PUT', `${AT}/storyMap/${sample.mapId}/steps/${step}`, { title: 'Sign by pen' })
  await page.getByRole('button', { name: 'Save the step' }).click()
  await page.getByText('Somebody else changed this meanwhile: title').waitFor()
  await inspect(page, 'a conflict on the map')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Sign', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByRole('button', { name: 'Remove the step' }).click()
  await page.getByText('“Sign” was removed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Sign', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Hand over', exact: true }).click()
  await page.getByRole('combobox', { name: 'Its steps go to' }).selectOption({ label: 'Inspect' })
  await page.getByRole('button', { name: 'Remove the activity' }).click()
  await page.getByRole('button', { name: 'Hand over', exact: true }).waitFor({ state: 'detached' })
  await page.getByText('“Hand over” was removed.').waitFor()
  await page.getByRole('button', { name: 'Sign', exact: true }).waitFor()
  await restoreActivity(page, sample)
  await page.close()
}

const titlesOf = async (sample: Sample): Promise<string> =>
  (await readStored(sample)).activities.map(({ title }) => title).join()

/** The undo of a removal brings an activity back at its place, with its steps; a drag gives it another place. */
async function restoreActivity(page: Page, sample: Sample): Promise<void> {
  const before = await titlesOf(sample)
  const stepsOf = async () => (await readStored(sample)).activities[0]?.steps.map(({ title }) => title).join()
  const steps = await stepsOf()
  const [first = '', second = ''] = before.split(',')
  const head = (title: string) => page.getByRole('columnheader', { name: title }).filter({ hasText: title }).first()
  await page.getByRole('button', { name: first, exact: true }).click()
  await page.getByRole('button', { name: 'Remove the activity' }).click()
  await page.getByText(`“${first}” was removed.`).waitFor()
  check((await titlesOf(sample)) === second, 'The activity is still there')
  await page.getByRole('button', { name: 'Undo' }).click()
  await waitFor('The undo does not restore the place of an activity', async () => (await titlesOf(sample)) === before)
  await waitFor('The undo does not restore the steps of an activity', async () => (await stepsOf()) === steps)
  await page.getByRole('button', { name: first, exact: true }).waitFor()
  const start = await head(first).boundingBox()
  const end = await head(second).boundingBox()
  if (!start || !end) return check(false, 'The map shows no activities')
  await page.mouse.move(start.x + start.width - 60, start.y + 6)
  await page.mouse.down()
  await page.mouse.move(start.x + start.width - 50, start.y + 10, { steps: 4 })
  await page.mouse.move(end.x + end.width - 20, end.y + end.height / 2, { steps: 8 })
  await page.locator('.act[data-edge="after"]').waitFor()
  await page.mouse.up()
  await page.getByText(`“${first}” was moved.`).waitFor()
  check((await titlesOf(sample)) === `${second},${first}`, 'A drag does not store the place of an activity')
  await page.keyboard.press('z')
  await waitFor('The undo does not take the drag back', async () => (await titlesOf(sample)) === before)
}
