// A viewer tries everything that the screens of a product offer: each button, each key and each drag. Nothing is sent
// but reads, and nothing is refused.
import type { BrowserContext, Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import { createPerson } from './ideas-page.ts'
import { check, inspectWithBrowser, serviceUrl, watch } from './inspect.ts'
import { call, signIn } from './session.ts'

interface Screen {
  name: string
  path: string
  /** Is there once the record is shown. */
  shown: string
  /** Takes the focus before the keys. */
  row?: string
}

/** A product with a record of each kind. */
async function createScreens(): Promise<Screen[]> {
  const key = `VW-${Date.now().toString(36).toUpperCase()}`
  await call('POST', '/api/initiatives', { name: 'Looked at', externalKey: key })
  const at = `/api/initiatives/${key}`
  const create = <D>(path: string, json: object) => call<D>('POST', `${at}/${path}`, json)
  const epic = await create<{ externalKey: string; epicId: number }>('epics', { summary: 'An epic' })
  const story = { summary: 'A story', epicId: epic.epicId, description: '<p>Its text.</p>', storyPoint: '3' }
  const { externalKey: card } = await create<{ externalKey: string }>('storyMap/card', story)
  const version = { name: 'Spring', items: [card] }
  const { externalKey: versionKey } = await create<{ externalKey: string }>('solution-versions', version)
  const { externalKey: kpi } = await create<{ externalKey: string }>('kpi', { title: 'A KPI', benchmark: '5' })
  const records = [1, 2].map((value) => ({ value, createdAt: new Date(Date.now() - value * 86_400_000).toISOString() }))
  await create(`kpi/${kpi}/insert-kpi-records`, records)
  const { id: map } = await create<{ id: number }>('storyMap', { title: 'A map' })
  const { id: activityId } = await create<{ id: number }>(`storyMap/${map}/activities`, { title: 'Prepare' })
  const { id: stepId } = await create<{ id: number }>(`storyMap/${map}/steps`, { activityId, title: 'Plan' })
  await call('PUT', `${at}/storyMap/${map}/cards/${card}`, { stepId })
  const idea = { title: 'An idea', product: key, tags: ['night'] }
  const { external_key: target } = await call<{ external_key: string }>('POST', '/api/feedback-items', idea)
  const other = await call<{ external_key: string }>('POST', '/api/feedback-items', { ...idea, title: 'Other words' })
  await call('POST', `/api/feedback-items/${other.external_key}/merge`, { into: target })
  await call('PUT', `/api/feedback-items/${target}`, { visibility_level: 'pending' })
  await call('POST', `/api/feedback-items/${target}/comments`, { text: '<p>Soon.</p>' })
  const product = `product=${key}`
  return [
    { name: 'the backlog', path: `/backlog?${product}`, shown: 'tr[data-key]', row: 'tr[data-key]' },
    { name: 'the board', path: `/board?${product}`, shown: '.work', row: '.work a' },
    { name: 'an item', path: `/backlog/${card}?${product}`, shown: 'aside[aria-label="Properties"] dd' },
    { name: 'an idea', path: `/ideas?idea=${target}`, shown: '#merged-ideas' },
    { name: 'the story map', path: `/story-map?${product}&map=${map}`, shown: '.map .work', row: '.map .work a' },
    { name: 'a KPI', path: `/kpis?${product}&kpi=${kpi}`, shown: '#kpi-records' },
    { name: 'a version', path: `/versions?${product}&version=${versionKey}`, shown: '#version-title' },
  ]
}

/** The keys of every screen that change something for others. */
const WRITE_KEYS = [
  ...['c', 'e', 'x', 'm', 's', 'o', 't', 'v', 'n', 'r', 'p', 'l', 'u', 'a', 'd', 'f'],
  ...['Backspace', 'Delete', 'Space', 'Alt+ArrowUp', 'Alt+ArrowRight', 'Shift+ArrowDown'],
]

const openScreen = async (page: Page, { path, shown }: Screen): Promise<void> => {
  await page.goto(`${serviceUrl}/console${path}`)
  await page.locator(shown).first().waitFor()
}

/** A key may lead to a dialog only with a form that a viewer may send, and none is known. */
async function pressKeys(page: Page, screen: Screen): Promise<void> {
  await openScreen(page, screen)
  for (const key of WRITE_KEYS) {
    if (screen.row) await page.locator(screen.row).first().focus()
    await page.keyboard.press(key)
    check((await page.locator('dialog[open]').count()) === 0, `${screen.name}: ${key} opens a dialog for a viewer`)
    check((await page.locator('.lift-note').count()) === 0, `${screen.name}: ${key} lifts a card for a viewer`)
  }
  check((await page.locator('main [draggable="true"]').count()) === 0, `${screen.name}: a viewer can drag`)
}

/** Presses each button of the bar and of the page, also those of menus that opened meanwhile. */
async function pressButtons(page: Page, screen: Screen): Promise<number> {
  const buttons = page.locator('main button:visible:enabled, .bar button:visible:enabled')
  await openScreen(page, screen)
  const pressed = new Set<string>()
  for (;;) {
    const names = await buttons.evaluateAll((all) =>
      all.map((one) => `${one.id} ${one.getAttribute('aria-label') ?? one.textContent}`),
    )
    const at = names.findIndex((name) => !pressed.has(name))
    const name = names[at]
    if (name === undefined) return pressed.size
    pressed.add(name)
    await buttons.nth(at).click()
    if (!page.url().includes(screen.path.split('?')[0] ?? '')) await openScreen(page, screen)
  }
}

/** Fields that only change what the page shows. */
const READ_FIELDS = ['search', 'radio']

async function listWriteFields(page: Page, screen: Screen): Promise<string[]> {
  await openScreen(page, screen)
  return page
    .locator('main :is(input, textarea, [contenteditable]):visible:enabled')
    .evaluateAll(
      (all, types) =>
        all
          .filter((one) => !types.includes(one.getAttribute('type') ?? ''))
          .map((one) => one.getAttribute('aria-label') ?? one.id ?? one.outerHTML),
      READ_FIELDS,
    )
}

async function tryEverything(context: BrowserContext, screens: readonly Screen[]): Promise<number> {
  const page = await context.newPage()
  let where = ''
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    check(request.method() === 'GET', `${where}: a viewer sends ${request.method()} ${path}`)
  })
  page.on('response', (response) =>
    check(response.status() !== 403, `${where}: ${new URL(response.url()).pathname} refuses a viewer`),
  )
  let pressed = 0
  for (const screen of screens) {
    where = screen.name
    const fields = await listWriteFields(page, screen)
    check(fields.length === 0, `${where}: a viewer can write into ${fields.join(', ')}`)
    await pressKeys(page, screen)
    pressed += await pressButtons(page, screen)
  }
  await page.close()
  return pressed
}

await runMain(() =>
  inspectWithBrowser(async (browser) => {
    const screens = await createScreens()
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    watch(context)
    await signIn(context, await createPerson('Vera', 'Viewer', 'viewer'))
    const pressed = await tryEverything(context, screens)
    check(pressed > screens.length, 'The viewer found no buttons to press')
    return `A viewer pressed ${pressed} buttons and ${WRITE_KEYS.length} keys on ${screens.length} screens, and nothing was refused.`
  }),
)
