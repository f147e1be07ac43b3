// Changes of the backlog that are shown before the answer, versions of items, and changes of many items by two people.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { focused, type Keys, openBacklog, row, SMALL, waitFor } from './backlog-items.ts'
import { createPerson } from './ideas-page.ts'
import { check, inspect, watch } from './inspect.ts'
import { call, signIn } from './session.ts'
import { hideEvents } from './two-people.ts'

interface PageGlobal {
  getComputedStyle(element: unknown): { opacity: string }
}
const readOpacity = (element: unknown): string =>
  (globalThis as unknown as PageGlobal).getComputedStyle(element).opacity

const AT = `/api/initiatives/${SMALL}`
const readProgress = async (key: string) => (await call<{ progress: string }>('GET', `${AT}/epics/${key}`)).progress

/** Holds the answers of a path back until the function that it returns is called. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(path, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** A new row is there and has the focus before the service has named the item. */
async function createBeforeAnswer(context: BrowserContext): Promise<void> {
  const page = await openBacklog(context)
  const release = await holdBack(page, `**${AT}/epics`)
  await page.keyboard.press('c')
  await page.getByRole('dialog').getByLabel('Epic').check()
  await page.getByRole('dialog').getByLabel('Summary').fill('Shown at once')
  await page.keyboard.press('Enter')
  const shown = page.locator('tr[data-key]', { hasText: 'Shown at once' })
  await shown.waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  check((await shown.getAttribute('data-key'))?.startsWith('new-') === true, 'A new row waits for the answer')
  await waitFor('A new row has no focus', async () => String(await focused(page)).startsWith('new-'))
  await page.keyboard.press('Backspace')
  check((await shown.count()) === 1, 'A row that the service does not know can be removed')
  release()
  await shown.and(page.locator('[data-key^="EP-"]')).waitFor()
  await waitFor('The stored row has no focus', async () => String(await focused(page)).startsWith('EP-'))
  await page.close()
}

/** The plus of a row opens the form with the row as the parent, and the toast leads to the new item. */
async function createBelow(context: BrowserContext, { epic }: Keys): Promise<void> {
  const page = await openBacklog(context)
  await row(page, epic).hover()
  await row(page, epic)
    .getByRole('button', { name: `Add an item to ${epic}` })
    .click()
  const dialog = page.getByRole('dialog')
  check((await dialog.getByLabel('Parent').inputValue()) === epic, 'The plus of a row does not choose the parent')
  await dialog.getByText('Type a summary first.').waitFor()
  const create = dialog.getByRole('button', { name: 'Create the feature' })
  check(await create.isDisabled(), 'An item without a summary can be created')
  await dialog.getByLabel('Summary').fill('Added below')
  await create.click()
  await page.getByText(/^FE-\d+ was created\.$/).waitFor()
  await page.getByRole('link', { name: 'Open the item' }).click()
  await page.getByRole('heading', { level: 2, name: 'Added below' }).waitFor()
  await page.getByRole('complementary', { name: 'Properties' }).getByText('Work without a network').waitFor()
  await page.close()
}

/** A click on the points edits them in their cell. */
async function editPoints(context: BrowserContext, { stories }: Keys): Promise<void> {
  const [first = ''] = stories
  const page = await openBacklog(context)
  await row(page, first).getByRole('button', { name: '8' }).click()
  const field = row(page, first).getByRole('textbox', { name: `Points of ${first}` })
  await field.fill('13')
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.keyboard.press('Enter')
  await row(page, first).getByRole('gridcell', { name: '13', exact: true }).waitFor()
  check((await stored).ok(), 'The points were refused')
  await waitFor('The points lose the focus', async () => (await focused(page)) === first)
  await page.close()
}

/** A finger sees the key, the title, the progress, the points and the plus of each row; rows have one height. */
async function readNarrowRows(browser: Browser, context: BrowserContext, { feature, stories }: Keys): Promise<void> {
  const storageState = await context.storageState()
  const narrow = await browser.newContext({
    storageState,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  watch(narrow)
  const page = await openBacklog(narrow)
  const [first = ''] = stories
  for (const text of [first, 'Keep photos for days', 'Done', '13'])
    check(await row(page, first).getByText(text, { exact: true }).isVisible(), `A narrow row does not show ${text}`)
  const heights = await page
    .locator('tr[data-key]')
    .evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().height))
  check(new Set(heights).size === 1, `Narrow rows differ in height: ${heights.join()}`)
  const plus = row(page, feature).getByRole('button', { name: `Add an item to ${feature}` })
  check((await plus.evaluate(readOpacity)) === '1', 'A finger does not see the plus')
  await plus.tap()
  await page.getByRole('dialog').getByText('Type a summary first.').waitFor()
  await narrow.close()
}

/** A version takes an item by keyboard, and lets it go by mouse. */
async function putIntoVersion(context: BrowserContext, { other }: Keys): Promise<void> {
  const page = await openBacklog(context)
  const [spring] = await call<{ externalKey: string }[]>('GET', `${AT}/solution-versions`)
  const held = async () =>
    (await call<{ items: string[] }>('GET', `${AT}/solution-versions/${spring?.externalKey}`)).items.includes(other)
  await row(page, other).focus()
  await page.keyboard.press('v')
  await page.getByRole('dialog', { name: 'Version' }).getByRole('button', { name: 'Spring' }).waitFor()
  await inspect(page, 'the versions of an item')
  await page.keyboard.press('Enter')
  await row(page, other).getByRole('gridcell', { name: 'Spring' }).waitFor()
  await page.getByText(`${other} was added to Spring.`).waitFor()
  await page.getByRole('link', { name: 'Open the version' }).waitFor()
  await waitFor('The version does not take the item', held)
  await row(page, other).getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Version' }).click()
  const chosen = page.getByRole('dialog', { name: 'Version' }).getByRole('button', { name: 'Spring', pressed: true })
  await chosen.click()
  await row(page, other).getByRole('gridcell', { name: 'Spring' }).waitFor({ state: 'hidden' })
  await waitFor('The version does not let go of the item', async () => !(await held()))
  await page.close()
}

/** A change of many items merges with other fields, and asks before it overwrites the same field. */
async function changeManyTogether(browser: Browser, context: BrowserContext, { epic, other }: Keys): Promise<void> {
  const storageState = await context.storageState()
  const apart = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  await hideEvents(apart)
  const page = await openBacklog(apart)
  for (const key of [epic, other]) await row(page, key).getByRole('checkbox').check()
  const setProgress = async (name: string) => {
    await page.getByRole('toolbar').getByRole('button', { name: 'Progress' }).click()
    await page.getByRole('dialog', { name: 'Progress' }).getByRole('button', { name }).click()
  }
  const stored = page.waitForResponse((response) => response.url().includes('/bulk') && response.ok())
  await call('PUT', `${AT}/epics/${other}`, { summary: 'Reports of both' })
  await setProgress('Done')
  await stored
  await row(page, other).getByText('Reports of both').waitFor()
  check((await readProgress(epic)) === 'done', 'A change of another field stops a change of many items')
  await call('PUT', `${AT}/epics/${other}`, { progress: 'in-progress' })
  await setProgress('To do')
  const alert = page.getByRole('alert').filter({ hasText: `${other}: somebody else changed the same field meanwhile` })
  await alert.waitFor()
  check((await readProgress(epic)) === 'done', 'A change of many items is not all or none')
  await inspect(page, 'a change of many items that somebody else has overtaken')
  const again = page.waitForResponse((response) => response.url().includes('/bulk') && response.ok())
  await alert.getByRole('button', { name: 'Try again' }).click()
  await again
  await row(page, other).getByText('To do').waitFor()
  check((await readProgress(other)) === 'to-do', 'The second try does not overwrite')
  await apart.close()
}

export async function writeBacklog(browser: Browser, keys: Keys): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  watch(context)
  await signIn(context, await createPerson('Wanda', 'Writer', 'member'))
  await createBeforeAnswer(context)
  await createBelow(context, keys)
  await editPoints(context, keys)
  await readNarrowRows(browser, context, keys)
  await putIntoVersion(context, keys)
  await changeManyTogether(browser, context, keys)
  await context.close()
}
