// Works with the KPIs of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { waitFor } from './backlog-items.ts'
import { DESK, driveConsole, lookInGerman, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'
import { hideEvents, readOtherName } from './two-people.ts'

const DAY_MS = 86_400_000
const TITLE = 'Reports without rework'
const OTHER = 'Photos lost'

interface Sample {
  product: string
  key: string
  /** A KPI whose values should fall. */
  less: string
}

const dayBefore = (days: number) => new Date(readClock() - days * DAY_MS).toISOString().slice(0, 10)
const pathOf = ({ product, key }: Sample) => `/console/kpis?product=${product}&kpi=${key}`

async function createSample(): Promise<Sample> {
  const { externalKey: product } = await call<{ externalKey: string }>('POST', '/api/initiatives', {
    name: `Inspect ${readClock()}`,
  })
  const at = `/api/initiatives/${product}/kpi`
  const { externalKey: less } = await call<{ externalKey: string }>('POST', at, {
    ...{ title: OTHER, benchmark: '0.10', benchmarkUnit: '%', benchmarkType: 'LESS' },
  })
  const falling = Array.from({ length: 8 }, (_, n) => ({ value: 1.2 - n * 0.1, createdAt: dayBefore(7 * (7 - n) + 1) }))
  await call('POST', `${at}/${less}/insert-kpi-records`, falling)
  const { externalKey: key } = await call<{ externalKey: string }>('POST', at, {
    ...{ title: TITLE, benchmark: '90', benchmarkUnit: '%', benchmarkType: 'MORE', aggregate: 'avg' },
    dueDate: dayBefore(-60),
  })
  const records = Array.from({ length: 14 }, (_, n) => ({
    value: 61 + n * 1.5,
    createdAt: dayBefore(7 * (13 - n) + 1),
  }))
  await call('POST', `${at}/${key}/insert-kpi-records`, records)
  return { product, key, less }
}

const rowOf = (page: Page, title: string) => page.getByRole('link', { name: title })
const titleOf = (page: Page, title: string) => page.locator('#kpi-title', { hasText: title })
const chartOf = (page: Page) => page.getByRole('group', { name: /^Chart of/ })

const lookAtKpis = (browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, `/kpis?product=${sample.product}`)
    await rowOf(page, TITLE).waitFor()
    await look(page, 'the KPIs')
    await page.goto(serviceUrl + pathOf(sample))
    await chartOf(page).locator('canvas').waitFor()
    await page.getByRole('definition').filter({ hasText: 'on time' }).waitFor()
    await look(page, 'a KPI')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog', { name: 'Edit the KPI' }).waitFor()
    await look(page, 'the fields of a KPI')
  })

const dropped = (rows: string) => ({
  ...{ name: 'values.csv', mimeType: 'text/csv' },
  buffer: Buffer.from(rows),
})

/** A file is looked at before anything is written, and its values go with one click. */
async function addFile(page: Page): Promise<void> {
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download a sample' }).click()
  check((await download).suggestedFilename() === 'kpi-values.csv', 'The sample of a file has another name')
  await page.getByText('Columns and formats that a file may have').click()
  await page.getByText('value, metric or amount').waitFor()
  await page.setInputFiles('input[type=file]', dropped('name\nnothing\n'))
  await page.getByRole('alert').filter({ hasText: 'The file cannot be added' }).waitFor()
  check(await page.getByRole('button', { name: 'Add the values' }).isDisabled(), 'A file without values can be added')
  await page.keyboard.press('Escape')
  const rows = `date,value\n${dayBefore(0)},84\n${dayBefore(200)},40\n${dayBefore(3)},many\n${dayBefore(1)},80\n`
  await page.setInputFiles('input[type=file]', dropped(rows))
  const dialog = page.getByRole('dialog', { name: 'Add the values of values.csv' })
  await dialog.getByText('3 of 4 rows have a value. 1 stored value is replaced.').waitFor()
  await dialog.getByText('Row 3: value "many" is not a number').waitFor()
  await dialog.getByRole('cell', { name: '84 %' }).waitFor()
  await inspect(page, 'the preview of a file')
  await dialog.getByRole('radio', { name: 'Keep both' }).check()
  await dialog.getByText('3 of 4 rows have a value.', { exact: true }).waitFor()
  await dialog.getByRole('radio', { name: 'Replace the stored value' }).check()
  await dialog.getByText('1 stored value is replaced.').waitFor()
  await dialog.getByRole('button', { name: 'Add 3 values' }).click()
  await page.getByText('3 values were added.').waitFor()
  const added = page.getByRole('button', { name: /^Remove the record 84 %/ })
  await added.waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await added.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Remove the record 80.5 %/ }).waitFor()
  await page.setInputFiles('input[type=file]', dropped(rows))
  await dialog.getByRole('button', { name: 'Add 3 values' }).click()
}

/** Words and tones of a KPI whose target is a most. */
async function readLessIsBetter(context: BrowserContext, { product, less }: Sample): Promise<void> {
  const page = await open(context, `/kpis?product=${product}`)
  await rowOf(page, OTHER).click()
  await page.getByRole('listitem').filter({ hasText: OTHER }).getByText('at most 0.1 %').waitFor()
  const figure = (name: string) => page.getByRole('definition').filter({ hasText: name })
  await figure('at most 0.1 %').waitFor()
  await figure('0.4 % above the target').waitFor()
  await figure('falls: good').locator('[data-tone=green]').waitFor()
  await page.getByText(/since .* \(better\)/).waitFor()
  await chartOf(page).focus()
  await page.keyboard.press('End')
  await page
    .getByRole('status')
    .getByText(/projected \(80 % between/)
    .waitFor()
  await page.getByText('Values as a table').click()
  await page.getByRole('cell', { name: /^0\.4 % above the target ?, misses the target$/ }).waitFor()
  await call('POST', `/api/initiatives/${product}/kpi/${less}/insert-kpi-records`, [
    { value: 0.05, createdAt: new Date(readClock()).toISOString() },
  ])
  await figure('Reached').locator('[data-tone=green]').waitFor()
  await figure('0.05 % below the target').waitFor()
  await page.close()
}

async function workByMouse(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, `/kpis?product=${sample.product}`)
  await rowOf(page, TITLE).click()
  await chartOf(page).locator('canvas').waitFor()
  await page.getByRole('definition').filter({ hasText: 'on time' }).waitFor()
  await chartOf(page).hover({ position: { x: 90, y: 100 } })
  await page
    .getByText(/: 6\d(\.\d+)? %, .* below the target$/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Month', exact: true }).click()
  await page.getByRole('link', { name: 'Year', exact: true }).click()
  await page.waitForURL('**interval=month&range=365')
  await page.reload()
  await page.getByText('Values as a table').click()
  await page.getByRole('columnheader', { name: 'Month' }).waitFor()
  await addFile(page)
  await page.getByText('84 %').first().waitFor()
  await page.getByRole('button', { name: /^Remove the record 84 %/ }).click()
  await page.getByText('The record was removed.').waitFor()
  await page.getByRole('button', { name: /^Remove the record 84 %/ }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /^Remove the record 84 %/ }).waitFor()
  await page.getByRole('button', { name: /^Change the record 84 %/ }).click()
  await page.getByRole('spinbutton', { name: 'Value' }).fill('85')
  await page.getByRole('button', { name: 'Change the record', exact: true }).click()
  await page.getByRole('button', { name: /^Change the record 85 %/ }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /^Change the record 84 %/ }).waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('spinbutton', { name: 'Target' }).fill('95')
  await page.getByRole('button', { name: 'Save the KPI' }).click()
  await page.getByRole('definition').getByText('95 %').waitFor()
  await page.close()
}

async function workByKeyboard(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, `/kpis?product=${sample.product}`)
  await rowOf(page, TITLE).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New KPI' }).getByRole('textbox', { name: 'Title' }).waitFor()
  await page.keyboard.type('Trial to paid')
  await page.keyboard.press('Enter')
  await titleOf(page, 'Trial to paid').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Add a record' }).waitFor()
  await page.keyboard.type('18')
  await page.keyboard.press('Enter')
  await page.getByText('The record was added.').waitFor()
  await chartOf(page).locator('canvas').waitFor()
  await rowOf(page, 'Trial to paid').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText(/^KPI-\d+ was removed\.$/).waitFor()
  await rowOf(page, 'Trial to paid').waitFor({ state: 'hidden' })
  await page.keyboard.press('z')
  await rowOf(page, 'Trial to paid').waitFor()
  await page.goto(serviceUrl + pathOf(sample))
  await chartOf(page).locator('canvas').waitFor()
  await chartOf(page).focus()
  await page.keyboard.press('Home')
  await page
    .getByRole('status')
    .getByText(/: 61 %, 34 % below the target$/)
    .waitFor()
  await page.keyboard.press('ArrowRight')
  await page
    .getByRole('status')
    .getByText(/: 62\.5 %, 32\.5 % below the target$/)
    .waitFor()
  await page.keyboard.press('Escape')
  await titleOf(page, TITLE).waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { level: 1, name: 'Ideas' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.getByRole('heading', { level: 1, name: 'KPIs' }).waitFor()
  await page.close()
}

/** Records of somebody else appear without a reload. */
async function followRecords(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await context.newPage()
  const followed = page.waitForResponse((response) => response.url().includes('order=newest'))
  await page.goto(serviceUrl + pathOf(sample))
  await chartOf(page).locator('canvas').waitFor()
  await followed
  const path = `/api/initiatives/${sample.product}/kpi/${sample.key}/insert-kpi-records`
  await call('POST', path, [{ value: 86.25, createdAt: new Date(readClock()).toISOString() }])
  await page.getByRole('button', { name: /^Remove the record 86.25 %/ }).waitFor()
  await page.close()
}

/** Two people edit one KPI: the title is a question, and the unit of the other person stays. */
async function editTogether(browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> {
  const context = await browser.newContext({ storageState, ...DESK })
  await hideEvents(context)
  const path = `/api/initiatives/${sample.product}/kpi/${sample.key}`
  const read = () => call<{ title: string; statement: string | null }>('GET', path)
  const page = await open(context, `/kpis?product=${sample.product}&kpi=${sample.key}`)
  await chartOf(page).locator('canvas').waitFor()
  const rename = async (title: string, meanwhile: object) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill(title)
    await call('PUT', path, meanwhile)
    await page.getByRole('button', { name: 'Save the KPI' }).click()
  }
  await rename('Reports without a second visit', { statement: 'Fewer visits' })
  await titleOf(page, 'Reports without a second visit').waitFor()
  await page.getByText('Fewer visits').waitFor()
  await waitFor('A change of another field of a KPI is lost', async () => (await read()).statement === 'Fewer visits')
  await rename('My reports', { title: 'Their reports' })
  const conflict = page.getByRole('alert').filter({ hasText: `${await readOtherName()} changed this meanwhile: Title` })
  await conflict.getByRole('button', { name: 'Compare' }).click()
  await conflict.getByText('Their reports').waitFor()
  await inspect(page, 'a conflict of a KPI')
  await conflict.getByRole('button', { name: /^Take / }).click()
  await titleOf(page, 'Their reports').waitFor()
  check((await read()).title === 'Their reports', 'Taking the other title of a KPI stored mine')
  await call('PUT', path, { title: TITLE, statement: null })
  await context.close()
}

const readAsViewer = (browser: Browser, sample: Sample): Promise<void> =>
  lookInGerman(browser, `/kpis?product=${sample.product}&kpi=${sample.key}`, async ({ page, look, hasNoAction }) => {
    const chart = page.getByRole('group', { name: /^Diagramm/ })
    await chart.locator('canvas').waitFor()
    await hasNoAction('Bearbeiten', /^Entfernen$/, /^Messwert$/, 'Neuer KPI')
    check((await page.locator('input[type=file]').count()) === 0, 'A viewer can choose a file')
    await look('a KPI')
  })

await driveConsole('The KPIs of the console work', async (browser) => {
  const sample = await createSample()
  const context = await signInAs(browser, ['Kim', 'Park', 'member'], { missing: /\/kpi\/KPI-\d+[/?]/ })
  const storageState = await context.storageState()
  await lookAtKpis(browser, storageState, sample)
  await workByMouse(context, sample)
  await workByKeyboard(context, sample)
  await readLessIsBetter(context, sample)
  await followRecords(context, sample)
  await editTogether(browser, storageState, sample)
  await readAsViewer(browser, sample)
})
