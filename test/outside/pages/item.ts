// Works on the page of an item: neighbors, parent, team, conversion, and a change by two people.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Keys, row, SMALL, stamp, waitFor } from './backlog-items.ts'
import { createPerson } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl, watch } from './inspect.ts'

import { openHtml } from './item-description.ts'
import { call, signIn } from './session.ts'

import { hideEvents, readOtherName } from './two-people.ts'

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

const PRODUCT = `IT-${stamp}`
const TEAM = `Mobile ${stamp}`

interface Items {
  epic: string
  feature: string
  story: string
  next: string
}

async function createItems(): Promise<Items> {
  await call('POST', '/api/initiatives', { name: 'Items', externalKey: PRODUCT })
  await call('POST', '/api/v2/teams', { name: TEAM })
  const create = (path: string, json: object) =>
    call<{ externalKey: string; epicId: number; featureId: number }>(
      'POST',
      `/api/initiatives/${PRODUCT}/${path}`,
      json,
    )
  const epic = await create('epics', { summary: 'Work in tunnels' })
  const feature = await create('features', { summary: 'Queue of notes', epicId: epic.epicId })
  const json = { featureId: feature.featureId, storyPoint: '5' }
  const story = await create('storyMap/card', { summary: 'Keep notes', ...json })
  const next = await create('storyMap/card', { summary: 'Send notes', ...json })
  return {
    epic: epic.externalKey,
    feature: feature.externalKey,
    story: story.externalKey,
    next: next.externalKey,
  }
}

const title = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: key })
const properties = (page: Page) => page.getByRole('complementary', { name: 'Properties' })
const readItem = (key: string) =>
  call<{ id: number; type: string; description: string; teamId: number | null; featureId: number; estimate: string }>(
    'GET',
    `/api/initiatives/${PRODUCT}/backlog/${key}`,
  )

async function openItem(context: BrowserContext, key: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog/${key}?product=${PRODUCT}`)
  await title(page, key).waitFor()
  await page.getByRole('region', { name: 'Discussion' }).waitFor()
  return page
}

const lookAtItem = (browser: Browser, storageState: SignedIn, { story, epic }: Items): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await openItem(context, epic)
    await page.getByRole('button', { name: 'More actions' }).click()
    const refused = page.getByRole('button', { name: 'Convert to a feature' })
    await refused.waitFor()
    check(await refused.isDisabled(), 'An epic with a feature can become a feature')
    await look(page, 'the actions of an item')
    await page.keyboard.press('Escape')
    await page
      .getByRole('region', { name: 'Features and stories' })
      .getByRole('button', { name: 'Add a feature' })
      .click()
    await page.getByRole('dialog').getByText('Type a summary first.').waitFor()
    await look(page, 'the form of a new feature')
    await page.goto(`${serviceUrl}/console/backlog/${story}?product=${PRODUCT}`)
    await properties(page).getByText('Queue of notes').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Convert to a feature' }).click()
    await page.getByRole('dialog').getByText('The item leaves').waitFor()
    await look(page, 'the form of a conversion')
  })

/** Goes to the next item and back, and moves, by keys alone. */
async function workByKeyboard(context: BrowserContext, { epic, story, next }: Items): Promise<void> {
  const page = await openItem(context, story)
  await properties(page).getByText('Queue of notes').waitFor()
  await page.keyboard.press('j')
  await title(page, next).waitFor()
  await properties(page).getByText('Queue of notes').waitFor()
  await page.keyboard.press('k')
  await title(page, story).waitFor()
  await properties(page).getByText('Queue of notes').waitFor()
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByLabel('Parent').selectOption(epic)
  const moved = page.waitForResponse((response) => response.url().endsWith('/move'))
  const readAgain = page.waitForResponse((response) => response.url().endsWith(`/backlog/${story}`))
  await page.getByRole('button', { name: 'Move here' }).focus()
  await page.keyboard.press('Enter')
  await properties(page).getByText('Work in tunnels').waitFor()
  check((await moved).ok(), 'The move was refused')
  await readAgain
  await waitFor('The move does not reach the service', async () => (await readItem(story)).featureId === 0)
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByLabel('Team').selectOption({ label: TEAM })
  check((await saved).ok(), 'The team was refused')
  await waitFor('The team is not stored', async () => (await readItem(story)).teamId !== null)
  await page.getByRole('button', { name: 'More actions' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Convert to a feature' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The points become an estimate: 5.').waitFor()
  await page.getByText(`The item stays in ${epic} Work in tunnels.`).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Convert to a feature' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(`${story} is FE-`).waitFor()
  const { type, estimate } = await readItem(story)
  check(type === 'feature' && estimate === '5', 'The conversion does not do what its form says')
  await page.close()
}

/** An epic lists its features, a feature its stories; both take new ones. */
async function addChildren(context: BrowserContext, { epic, feature, story }: Items): Promise<void> {
  const page = await openItem(context, epic)
  const list = page.getByRole('region', { name: 'Features and stories' })
  await list.getByRole('link', { name: 'Queue of notes' }).click()
  await title(page, feature).waitFor()
  const stories = page.getByRole('region', { name: 'Stories', exact: true })
  await stories.getByRole('listitem').filter({ hasText: story }).getByText('5 points').waitFor()
  check((await stories.getByRole('button', { name: 'Add a feature' }).count()) === 0, 'A feature takes a feature')
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: `Add a user story to ${feature}` })
  await dialog.waitFor()
  check(await dialog.getByRole('button', { name: 'Create the story' }).isDisabled(), 'A story needs no summary')
  await dialog.getByLabel('Summary').fill('Count notes')
  await page.keyboard.press('Enter')
  await stories.getByRole('link', { name: 'Count notes' }).waitFor()
  await page.getByRole('link', { name: 'Open the item' }).click()
  await page.getByRole('heading', { level: 2, name: 'Count notes' }).waitFor()
  await properties(page).getByText('Queue of notes').waitFor()
  check(
    (await page.getByRole('button', { name: /^Add a (feature|user story)/ }).count()) === 0,
    'A story takes other items',
  )
  await page.close()
}

/** The way back keeps the filters of the list. */
async function workByMouse(context: BrowserContext, { feature, next }: Items): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog?product=${PRODUCT}&q=notes`)
  await page.getByRole('link', { name: 'Send notes' }).click()
  await title(page, next).waitFor()
  const previous = page.getByRole('button', { name: 'Previous item' })
  await properties(page).getByText('Queue of notes').waitFor()
  await previous.click()
  await title(page, feature).waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Backlog' }).click()
  await page.getByRole('searchbox', { name: 'Filter by text' }).waitFor()
  check(new URL(page.url()).searchParams.get('q') === 'notes', 'The way back to the list loses the filters')
  await page.close()
}

/** Somebody else changes the description while the person types: the page says so, and keeps the text. */
async function meetConflictWhileTyping(context: BrowserContext, { feature }: Items): Promise<void> {
  const name = await readOtherName()
  const page = await context.newPage()
  // The page follows the events from its first read on.
  const followed = page.waitForResponse((response) => response.url().includes('order=newest&limit=1'))
  await page.goto(`${serviceUrl}/console/backlog/${feature}?product=${PRODUCT}`)
  await title(page, feature).waitFor()
  await followed
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await openHtml(page)
  await page.getByRole('textbox', { name: 'Description' }).fill('<p>My words</p>')
  const path = `/api/initiatives/${PRODUCT}/features/${feature}`
  await call('PUT', path, { description: '<p>Words of others</p>' })
  const conflict = page.getByRole('alert')
  await conflict.getByText(`${name} changed this meanwhile: Description`).waitFor()
  await conflict.getByRole('button', { name: 'Compare' }).click()
  await conflict.getByText('Words of others').waitFor()
  await inspect(page, 'a conflict on the page of an item')
  check(
    (await page.getByRole('textbox', { name: 'Description' }).inputValue()) === '<p>My words</p>',
    'A conflict takes the typed text',
  )
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await conflict.waitFor({ state: 'hidden' })
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Save the description' }).click()
  check((await saved).ok(), 'The kept description was refused')
  await waitFor(
    'The kept description is not stored',
    async () => (await readItem(feature)).description === '<p>My words</p>',
  )
  await page.close()
}

/** Without events the service tells of the change, and the person takes the other title. */
async function meetConflictOnSave(browser: Browser, storageState: SignedIn, { feature }: Items): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  await hideEvents(context)
  const page = await openItem(context, feature)
  await page.keyboard.press('e')
  const field = page.getByRole('textbox', { name: 'Title' })
  await field.waitFor()
  await call('PUT', `/api/initiatives/${PRODUCT}/features/${feature}`, { summary: 'Notes of others' })
  await field.fill('My notes')
  await page.keyboard.press('Enter')
  const conflict = page.getByRole('alert')
  await conflict.getByText('changed this meanwhile: Title').waitFor()
  await conflict.getByRole('button', { name: /^Take / }).click()
  await page.getByRole('heading', { level: 2, name: 'Notes of others' }).waitFor()
  await context.close()
}

/** Describes an item, attaches a file, links it and comments, by keyboard and mouse. */
export async function workOnItem(context: BrowserContext, { stories, other }: Keys): Promise<void> {
  const [first = ''] = stories
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog?product=${SMALL}`)
  await row(page, first).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: first }).waitFor()
  await page.getByRole('button', { name: 'Edit the title' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Keep photos for days')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Keep photos for days' }).waitFor()
  await page.getByRole('button', { name: 'Edit the description' }).focus()
  await page.keyboard.press('Enter')
  await openHtml(page)
  await page
    .getByRole('textbox', { name: 'Description' })
    .fill('<p>Until they are <strong>sent</strong>.</p><script>alert(1)</script>')
  await page.getByRole('region', { name: 'Preview' }).getByText('sent').waitFor()
  await page.getByRole('button', { name: 'Save the description' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Description' }).getByText('Until they are sent.').waitFor()
  await page.getByLabel('Points').fill('8')
  await page.keyboard.press('Tab')
  await waitFor('The points are not stored', async () => {
    const { storyPoint } = await call<{ storyPoint: string }>('GET', `/api/initiatives/${SMALL}/storyMap/card/${first}`)
    return storyPoint === '8'
  })
  await page.setInputFiles('input[type=file]', {
    name: 'states.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('badge'),
  })
  await page.getByRole('link', { name: /states\.txt/ }).waitFor()
  await page.getByRole('textbox', { name: 'Key of the other item' }).fill(other.toLowerCase())
  await page.keyboard.press('Enter')
  await page
    .getByRole('link', { name: new RegExp(other) })
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Does the number count\n\na photo that is sent?')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('a photo that is sent?').last().waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('created the item').waitFor()
  await inspect(page, 'the history of an item')
  await page.close()
}

/** An item that is younger than the tree of the page before shows its parent and its neighbors. */
async function openNewItem(context: BrowserContext, { epic, feature }: Items): Promise<void> {
  const page = await openItem(context, epic)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const { id: featureId } = await readItem(feature)
  const { externalKey: key } = await call<{ externalKey: string }>(
    'POST',
    `/api/initiatives/${PRODUCT}/storyMap/card`,
    { summary: 'Sort notes', featureId },
  )
  await page.evaluate(`history.pushState(null, '', '/console/backlog/${key}?product=${PRODUCT}')`)
  await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
  await title(page, key).waitFor()
  await properties(page).getByRole('link', { name: 'Queue of notes' }).waitFor()
  await page.close()
}

/** In a session of its own: the rate limit counts the requests of a session. */
export async function tryItem(browser: Browser): Promise<void> {
  const items = await createItems()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  watch(context)
  await signIn(context, await createPerson('Iva', 'Item', 'member'))
  const storageState = await context.storageState()
  await lookAtItem(browser, storageState, items)
  await openNewItem(context, items)
  await addChildren(context, items)
  await workByKeyboard(context, items)
  await workByMouse(context, items)
  await meetConflictWhileTyping(context, items)
  await meetConflictOnSave(browser, storageState, items)
  await context.close()
}
