// Works in the backlog by mouse and by keyboard alone, and measures the scrolling of a long tree.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { check, inspect, lookEverywhere, serviceUrl, watch } from './inspect.ts'
import { call } from './session.ts'

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

const stamp = Date.now().toString(36).toUpperCase()
const SMALL = `BL-S${stamp}`
const LARGE = `BL-L${stamp}`

const row = (page: Page, key: string) => page.locator(`tr[data-key="${key}"]`)
const focused = (page: Page) => page.evaluate('document.activeElement?.dataset.key ?? document.activeElement?.tagName')

/** Keys of the items in the order that the page shows. */
const shownKeys = (page: Page): Promise<string[]> =>
  page.locator('tr[data-key]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-key') ?? ''))

async function waitFor(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  check(false, what)
}

interface Keys {
  epic: string
  feature: string
  stories: string[]
  other: string
}

/** An epic with a feature of three stories, and a second epic. */
async function createItems(): Promise<Keys> {
  await call('POST', '/api/initiatives', { name: 'Inspect', externalKey: SMALL })
  const at = `/api/initiatives/${SMALL}`
  const create = (path: string, json: object) =>
    call<{ externalKey: string; epicId: number; featureId: number }>('POST', `${at}/${path}`, json)
  const epic = await create('epics', { summary: 'Work without a network', progress: 'in-progress' })
  const feature = await create('features', { summary: 'Queue of photos', epicId: epic.epicId })
  const stories: string[] = []
  for (const [n, summary] of ['Keep photos', 'Count photos', 'Send photos'].entries()) {
    const json = { summary, featureId: feature.featureId, storyPoint: String(n + 1), progress: n ? 'to-do' : 'done' }
    stories.push((await create('storyMap/card', json)).externalKey)
  }
  const other = await create('epics', { summary: 'Reports' })
  const kpi = await call<{ externalKey: string }>('POST', `${at}/kpi`, { title: 'Photos that were lost' })
  await call('PUT', `${at}/features/${feature.externalKey}`, { kpis: [kpi.externalKey] })
  await call('POST', `${at}/solution-versions`, { name: 'Spring', items: [stories[0]] })
  return { epic: epic.externalKey, feature: feature.externalKey, stories, other: other.externalKey }
}

const openBacklog = async (context: BrowserContext, query = ''): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog?product=${SMALL}${query}`)
  await page.getByRole('treegrid', { name: 'Backlog' }).waitFor()
  return page
}

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
  await page.getByRole('button', { name: 'In progress' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await row(page, second).getByText('In progress').waitFor()
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
  await page.getByText(`Moving ${second}: below`).waitFor()
  await page.keyboard.press('Enter')
  await waitFor('Enter does not drop the row', async () => (await shownKeys(page)).indexOf(second) > 2)
  await page.locator(`tr[data-key="${third}"]`).focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByRole('toolbar', { name: '2 items selected' }).waitFor()
  await page.keyboard.press('m')
  await page.getByLabel('Below').selectOption(other)
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

const card = (page: Page, column: string, key: string) =>
  page.getByRole('region', { name: column, exact: true }).locator(`.work[data-key="${key}"]`)

/** A card goes to the next column by keyboard, and on by mouse. */
async function workOnBoard(context: BrowserContext, { stories }: Keys): Promise<void> {
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

/** Describes an item, attaches a file, links it and comments, by keyboard and mouse. */
async function workOnItem(context: BrowserContext, { stories, other }: Keys): Promise<void> {
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

/** Somebody else changes the title while the page is open: the person chooses. */
async function meetConflict(browser: Browser, storageState: SignedIn, { other }: Keys): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  // Without events the page does not know of the change.
  await context.route('**/api/v2/events**', (route) => route.abort())
  const page = await openBacklog(context)
  await row(page, other).focus()
  await page.keyboard.press('e')
  await call('PUT', `/api/initiatives/${SMALL}/epics/${other}`, { summary: 'Reports of others', progress: 'done' })
  await page.getByRole('textbox', { name: `Summary of ${other}` }).fill('My reports')
  await page.keyboard.press('Enter')
  await page.getByText('Somebody else changed this meanwhile').waitFor()
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

const EPICS = 100
const FEATURES = 9
const STORIES = 10
const FRAMES = 150
const PX_PER_FRAME = 120

async function createManyItems(): Promise<number> {
  await call('POST', '/api/initiatives', { name: 'Large', externalKey: LARGE })
  let count = 0
  for (let e = 0; e < EPICS; e += 10) {
    const operations: object[] = []
    for (let epic = e; epic < e + 10; epic++) {
      operations.push({ op: 'create', type: 'epic', ref: `e${epic}`, body: { summary: `Epic ${epic}` } })
      for (let f = 0; f < FEATURES; f++) {
        const ref = `f${epic}-${f}`
        operations.push({
          op: 'create',
          type: 'feature',
          ref,
          parentRef: `e${epic}`,
          body: { summary: `Feature ${f}` },
        })
        for (let s = 0; s < STORIES; s++)
          operations.push({
            op: 'create',
            type: 'userstory',
            parentRef: ref,
            body: { summary: `Story ${s}`, storyPoint: '3' },
          })
      }
    }
    for (let at = 0; at < operations.length; at += 1_000) {
      const part = operations.slice(at, at + 1_000)
      count += part.length
      await call('POST', `/api/initiatives/${LARGE}/backlog/bulk`, part)
    }
  }
  return count
}

/** Scrolls like a fast wheel, and answers the times between frames. */
const SCROLL = `async () => {
  const main = document.querySelector('main')
  const times = []
  let last = 0
  const frame = () => new Promise((resolve) => requestAnimationFrame((now) => { times.push(now - last); last = now; resolve() }))
  await frame()
  await frame()
  times.length = 0
  for (let n = 1; n <= ${FRAMES}; n++) {
    main.scrollTop += ${PX_PER_FRAME}
    await frame()
  }
  times.sort((one, other) => one - other)
  const at = (part) => times[Math.floor((times.length - 1) * part)]
  return { median: at(0.5), high: at(0.95), longest: at(1), rows: document.querySelectorAll('tr[data-key]').length }
}`

interface Scrolled {
  median: number
  high: number
  longest: number
  rows: number
}

/** Times in ms; `work` is the processor time of the page in a frame, which does not depend on other processes. */
async function scroll(page: Page): Promise<Scrolled & { work: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readWork = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
  const before = await readWork()
  const scrolled = (await page.evaluate(`(${SCROLL})()`)) as Scrolled
  return { ...scrolled, work: ((await readWork()) - before) / FRAMES }
}

/** Half of the 50 ms that a frame may take. */
const MAX_WORK_MS = 25

async function measureScrolling(context: BrowserContext): Promise<string> {
  const count = await createManyItems()
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog?product=${LARGE}&q=nothinglikethis`)
  await page.getByRole('heading', { name: 'No item matches these filters' }).waitFor()
  const empty = await scroll(page)
  await page.goto(`${serviceUrl}/console/backlog?product=${LARGE}&open=all`)
  await page.getByText(`${count.toLocaleString('en')} items`).waitFor()
  const long = await scroll(page)
  check(long.rows > 10 && long.rows < 100, `${long.rows} rows exist at once`)
  check(
    long.work - empty.work <= MAX_WORK_MS,
    `A frame of the long tree works for ${long.work} ms, of an empty tree for ${empty.work} ms`,
  )
  await page.close()
  const show = ({ work, median, high, longest }: Scrolled & { work: number }) =>
    `${work.toFixed(1)} ms of work and ${[median, high, longest].map((ms) => ms.toFixed(0)).join('/')} ms (median/95 %/longest)`
  return `Frames of ${count} items take ${show(long)}; of an empty tree ${show(empty)}.`
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
  await workOnBoard(context, keys)
  await meetConflict(browser, storageState, keys)
  const report = await measureScrolling(context)
  await context.close()
  return report
}
