// Finds and restores removed records in the console, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import '../../../scripts/leash.ts'
import { runMain } from '../../../scripts/wrangler.ts'
import { createPerson, open, type SignedIn } from './ideas-page.ts'
import {
  check,
  inspect,
  inspectWithBrowser,
  isTooWide,
  lookEverywhere,
  NARROWEST,
  serviceUrl,
  showsFocus,
  watch,
} from './inspect.ts'
import { removeAndReadHistories } from './removal.ts'
import { createRemovedSample, type RemovedSample, SAMPLE_KINDS } from './removed-sample.ts'
import { call, signIn } from './session.ts'

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const restoreOf = (page: Page, name: string) => rowOf(page, name).getByRole('button', { name: /^Restore / })
const kindField = (page: Page) => page.getByLabel('Records')
const toastOf = (page: Page) => page.locator('.toast')
const pathOf = (kind: string, { product }: RemovedSample) => `/removed?kind=${kind}&product=${product}`

/** A restored epic brings its feature back, and the undo takes both away again. */
async function restoreByMouse(context: BrowserContext, sample: RemovedSample): Promise<void> {
  const { product, epic, feature } = sample
  const page = await open(context, `/backlog?product=${product}`)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('link', { name: 'Show removed items' }).click()
  await page.waitForURL(`**/console/removed?kind=epic&product=${product}`)
  const names = page.locator('tbody th')
  await rowOf(page, 'Removed last').waitFor()
  const shown = await names.allTextContents()
  check(
    shown.findIndex((name) => name.includes('Removed last')) < shown.findIndex((name) => name.includes(epic)),
    `The newest removal is not the first row: ${shown.join(', ')}`,
  )
  await restoreOf(page, epic).click()
  await toastOf(page).getByText('is back').waitFor()
  check((await rowOf(page, epic).count()) === 0, 'A restored epic stays in the list of removed epics')
  await call('GET', `/api/initiatives/${product}/features/${feature}`)
  await toastOf(page).getByRole('button', { name: /Undo/ }).click()
  await rowOf(page, epic).waitFor()
  await kindField(page).selectOption({ label: 'Features' })
  await rowOf(page, feature).waitFor()
  await kindField(page).selectOption({ label: 'Epics' })
  await restoreOf(page, epic).click()
  await toastOf(page).getByRole('link', { name: 'Open' }).click()
  await page.waitForURL(`**/console/backlog/${epic}?product=${product}`)
  await page.close()
}

/** An epic whose features stayed keeps them, also after the undo. */
async function keepItemsThatStayed(context: BrowserContext, sample: RemovedSample): Promise<void> {
  const { product, detached } = sample
  const page = await open(context, pathOf('epic', sample))
  await restoreOf(page, detached.epic).click()
  await toastOf(page).getByText('is back').waitFor()
  await toastOf(page).getByRole('button', { name: /Undo/ }).click()
  await rowOf(page, detached.epic).waitFor()
  await call('GET', `/api/initiatives/${product}/features/${detached.feature}`)
  await page.close()
}

async function restoreByKeyboard(context: BrowserContext, sample: RemovedSample): Promise<void> {
  const page = await open(context, '/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('removed')
  await page.getByRole('option', { name: 'Removed', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/removed?kind=*')
  await page.goto(`${serviceUrl}/console${pathOf('tag', sample)}`)
  await rowOf(page, 'Taken').waitFor()
  await rowOf(page, 'Free').waitFor()
  await page.keyboard.press('j')
  await page.locator('[data-restore]:focus').waitFor()
  check(await showsFocus(page), 'The focus of the list of removed records is not seen')
  const order = await page.locator('tbody th').allTextContents()
  for (let at = 0; at < order.findIndex((name) => name.includes('Taken')); at++) await page.keyboard.press('j')
  await page.locator('[aria-label="Restore Taken"]:focus').waitFor()
  await page.keyboard.press('Enter')
  await rowOf(page, 'Taken').getByRole('alert').waitFor()
  check((await toastOf(page).count()) === 0, 'A refused restore says that the record is back')
  await restoreOf(page, 'Free').focus()
  await page.keyboard.press('Enter')
  await toastOf(page).getByText('Free is back').waitFor()
  await page.locator('[data-restore]:focus').waitFor()
  await page.keyboard.press('z')
  await rowOf(page, 'Free').waitFor()
  await page.close()
}

/** Every kind that the sample has removed can be found and restored, with its name. */
async function restoreEachKind(context: BrowserContext, sample: RemovedSample): Promise<void> {
  const page = await open(context, pathOf('userstory', sample))
  for (const { label, name } of SAMPLE_KINDS) {
    await kindField(page).selectOption({ label })
    await restoreOf(page, name).first().click()
    await toastOf(page)
      .getByText(/is back/)
      .waitFor()
    await toastOf(page).getByRole('button', { name: 'Close' }).click()
  }
  await page.getByRole('combobox', { name: 'Removed' }).selectOption({ label: 'In the last 24 hours' })
  await page.waitForURL('**since=day**')
  await page.close()
}

const lookAtRemoved = (browser: Browser, storageState: SignedIn, sample: RemovedSample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, pathOf('epic', sample))
    await rowOf(page, 'Removed last').waitFor()
    await look(page, 'the removed epics')
    await page.goto(`${serviceUrl}/console${pathOf('document', sample)}`)
    await page.getByText('Documents: nothing was removed').waitFor()
    await look(page, 'no removed documents')
    await page.setViewportSize({ width: NARROWEST, height: 700 })
    check(!(await isTooWide(page)), `The removed records at ${NARROWEST} px scroll sideways`)
  })

/** A viewer reads the lists, and a member restores what members remove. */
async function readWithFewerRights(browser: Browser, sample: RemovedSample): Promise<void> {
  const viewer = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  watch(viewer)
  await signIn(viewer, await createPerson('Vic', 'Viewer', 'viewer'))
  const page = await open(viewer, pathOf('epic', sample))
  await rowOf(page, 'Removed last').waitFor()
  check((await page.locator('[data-restore]').count()) === 0, 'A viewer is offered to restore')
  check(
    (await kindField(page).getByRole('option', { name: 'Webhooks', exact: true }).count()) === 0,
    'A viewer is offered webhooks',
  )
  await viewer.close()
  const member = await browser.newContext({ locale: 'de-DE', viewport: { width: 1280, height: 900 } })
  watch(member)
  await signIn(member, await createPerson('Mia', 'Member', 'member'))
  const german = await open(member, pathOf('epic', sample))
  await german.getByRole('heading', { level: 1, name: 'Entfernt' }).waitFor()
  await german.getByRole('button', { name: 'Removed last wiederherstellen' }).waitFor()
  await inspect(german, 'the removed epics in German')
  await german.goto(`${serviceUrl}/console${pathOf('tag', sample)}`)
  await rowOf(german, 'Taken').waitFor()
  check((await german.locator('[data-restore]').count()) === 0, 'A member is offered to restore tags')
  await member.close()
}

await runMain(() =>
  inspectWithBrowser(async (browser) => {
    const sample = await createRemovedSample()
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    watch(context, new RegExp(`${sample.product}/tags/\\d+/restore`))
    await signIn(context, await createPerson('Rita', 'Restorer', 'admin'))
    const storageState = await context.storageState()
    await restoreByMouse(context, sample)
    await keepItemsThatStayed(context, sample)
    await restoreByKeyboard(context, sample)
    await restoreEachKind(context, sample)
    await removeAndReadHistories(context)
    await lookAtRemoved(browser, storageState, sample)
    await readWithFewerRights(browser, sample)
    return 'The removed records of the console come back by mouse and by keyboard, at both widths, light and dark.'
  }),
)
