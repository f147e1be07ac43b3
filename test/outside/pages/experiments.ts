// Works with the experiments of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { waitFor } from './backlog-items.ts'
import { change, driveConsole, lookInGerman, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

interface Experiment {
  externalKey: string
  title: string
  hypothesis: string | null
  targetValue: string | null
  status: string
  result: string | null
  decision: string | null
  learnings: string | null
  kpi: string | null
  personas: string[]
  workItems: string[]
}

interface Sample {
  product: string
  /** A draft without a hypothesis. */
  draft: string
  running: string
  persona: string
  story: string
  kpi: string
}

async function createSample(): Promise<Sample> {
  const create = async (path: string, body: object) =>
    (await call<{ externalKey: string }>('POST', path, body)).externalKey
  const product = await create('/api/initiatives', { name: `Trial ${readClock()}` })
  const at = `/api/initiatives/${product}`
  const persona = await create('/api/v2/persona', { name: 'Nina Night', product })
  const story = await create(`${at}/storyMap/card`, { summary: 'Show a dark screen' })
  const kpi = await create(`${at}/kpi`, { title: 'Minutes of a handover', benchmark: '12.00' })
  const draft = await create(`${at}/experiments`, { title: 'Larger letters' })
  const running = await create(`${at}/experiments`, {
    ...{ title: 'Dark screen at night', hypothesis: 'Nurses hand over faster in the dark.\nNobody is blinded.' },
    ...{ method: 'Two wards, two weeks.', successCriteria: 'A tenth less time.', targetValue: '10.00' },
    ...{ personas: [persona], workItems: [story], kpi },
  })
  await call('POST', `${at}/experiments/${running}/start`)
  return { product, draft, running, persona, story, kpi }
}

const pathOf = ({ product }: Sample, key: string) => `/experiments?product=${product}&experiment=${key}`
const apiOf = ({ product }: Sample, key: string) => `/api/initiatives/${product}/experiments/${key}`
const readExperiment = (sample: Sample, key: string) => call<Experiment>('GET', apiOf(sample, key))
const titleOf = (page: Page, title: string) => page.locator('#experiment-title', { hasText: title })
const rowOf = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true })
const detailOf = (page: Page) => page.getByRole('region', { name: 'Experiment', exact: true })

const lookAtExperiments = (browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const page = await open(context, `/experiments?product=${sample.product}`)
    await rowOf(page, 'Larger letters').waitFor()
    await look(page, 'the experiments')
    await page.goto(`${serviceUrl}/console${pathOf(sample, sample.draft)}`)
    await page.getByText('Write a hypothesis before you start the experiment.').waitFor()
    await look(page, 'a draft of an experiment')
    await page.goto(`${serviceUrl}/console${pathOf(sample, sample.running)}`)
    await page.getByRole('link', { name: 'Nina Night' }).waitFor()
    await look(page, 'an experiment that runs')
    await page.getByRole('button', { name: 'Stop…' }).click()
    await page.getByRole('dialog', { name: 'Stop Dark screen at night' }).waitFor()
    await look(page, 'the end of an experiment')
  })

const edit = async (page: Page, name: string, text: string): Promise<void> => {
  await page.getByRole('button', { name: `Edit: ${name}` }).click()
  await page.getByRole('textbox', { name }).fill(text)
}
const saveField = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** A draft gets a hypothesis and links, runs, and stops with a result. */
async function workByMouse(context: BrowserContext, sample: Sample): Promise<void> {
  const { product, draft, persona, story, kpi } = sample
  const path = apiOf(sample, draft)
  const page = await open(context, `/experiments?product=${product}`)
  await rowOf(page, 'Larger letters').click()
  await titleOf(page, 'Larger letters').waitFor()
  check(
    await page.getByRole('button', { name: 'Start', exact: true }).isDisabled(),
    'A draft starts without a hypothesis',
  )
  await edit(page, 'Hypothesis', 'People read faster.')
  await change(page, 'PUT', path, () => saveField(page))
  await edit(page, 'Target value', '12,5')
  await change(page, 'PUT', path, () => saveField(page))
  await change(page, 'PUT', path, () => page.getByLabel('KPI', { exact: true }).selectOption(kpi))
  await change(page, 'PUT', path, () => page.getByLabel('Personas').selectOption(persona))
  await page.getByLabel('Work items').fill(story.toLowerCase())
  await change(page, 'PUT', path, () => page.keyboard.press('Enter'))
  await detailOf(page).getByRole('link', { name: story }).waitFor()
  await change(page, 'POST', `${path}/start`, () => page.getByRole('button', { name: 'Start', exact: true }).click())
  await page.getByRole('button', { name: 'Stop…' }).click()
  await page.getByRole('radio', { name: 'Validated', exact: true }).check()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Decision').selectOption('persevere')
  await dialog.getByRole('textbox', { name: 'Learnings' }).fill('Letters of 18 px suffice.')
  await change(page, 'POST', `${path}/stop`, () => page.getByRole('button', { name: 'Stop the experiment' }).click())
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await detailOf(page).getByText('Stopped', { exact: true }).waitFor()
  await change(page, 'PUT', path, () => page.getByLabel('Result', { exact: true }).selectOption('inconclusive'))
  await change(page, 'PUT', path, () => page.getByRole('button', { name: `Unlink ${story}` }).click())
  const stored = await readExperiment(sample, draft)
  const { status, result, decision, learnings, targetValue, personas, workItems } = stored
  const told = [status, result, decision, learnings, targetValue, stored.kpi, personas.join(), workItems.join()]
  const expected = ['stopped', 'inconclusive', 'persevere', 'Letters of 18 px suffice.', '12.50', kpi, persona, '']
  check(told.join() === expected.join(), `The experiment is stored as ${told.join()}`)
  await page.close()
}

async function filterByStatus(context: BrowserContext, { product }: Sample): Promise<void> {
  const page = await open(context, `/experiments?product=${product}`)
  await rowOf(page, 'Larger letters').waitFor()
  await page.getByRole('button', { name: 'Running' }).click()
  await rowOf(page, 'Larger letters').waitFor({ state: 'hidden' })
  await rowOf(page, 'Dark screen at night').waitFor()
  check(new URL(page.url()).searchParams.get('status') === 'running', 'The address does not hold the filter')
  await page.reload()
  await rowOf(page, 'Dark screen at night').waitFor()
  check((await rowOf(page, 'Larger letters').count()) === 0, 'A reload forgets the filter')
  await page.getByRole('button', { name: 'Running' }).click()
  await page.getByRole('button', { name: 'Draft' }).click()
  await page.getByText('No experiment matches these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rowOf(page, 'Larger letters').waitFor()
  await page.close()
}

async function settleConflict(context: BrowserContext, sample: Sample): Promise<void> {
  const { running } = sample
  const page = await open(context, pathOf(sample, running))
  await titleOf(page, 'Dark screen at night').waitFor()
  await edit(page, 'Method', 'Three wards.')
  await call('PUT', apiOf(sample, running), { method: 'Four wards.' })
  await saveField(page)
  await page.getByText('changed this meanwhile: Method').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await inspect(page, 'a conflict of an experiment')
  await page.getByRole('button', { name: /^Take / }).click()
  await page.getByText('Four wards.').waitFor()
  await page.getByText('changed this meanwhile').waitFor({ state: 'hidden' })
  await page.close()
}

async function workByKeyboard(context: BrowserContext, sample: Sample): Promise<void> {
  const page = await open(context, `/experiments?product=${sample.product}`)
  await rowOf(page, 'Larger letters').waitFor()
  await page.keyboard.press('c')
  await page.locator('dialog input[name=title]:focus').waitFor()
  await page.keyboard.type('Voice at night')
  await page.keyboard.press('Tab')
  await page.locator('dialog textarea:focus').waitFor()
  await page.keyboard.type('Nurses have no hand free.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Create the experiment' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await titleOf(page, 'Voice at night').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const key = new URL(page.url()).searchParams.get('experiment') ?? ''
  await page.keyboard.press('s')
  await detailOf(page).getByText('Running', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Stop…' }).waitFor()
  await page.keyboard.press('s')
  await page.getByRole('dialog', { name: 'Stop Voice at night' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await waitFor('The key does not start the experiment', async () => {
    const { status } = await readExperiment(sample, key)
    return status === 'running'
  })
  await page.keyboard.press('Backspace')
  await page.getByText(`${key} was removed.`).waitFor()
  await rowOf(page, 'Voice at night').waitFor({ state: 'hidden' })
  await page.keyboard.press('z')
  await rowOf(page, 'Voice at night').waitFor()
  await rowOf(page, 'Voice at night').focus()
  await page.keyboard.press('Enter')
  await titleOf(page, 'Voice at night').waitFor()
  await page.keyboard.press('j')
  await titleOf(page, 'Dark screen at night').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No experiment is selected' }).waitFor()
  await page.close()
}

/** The page of a persona leads to its experiments. */
async function goThroughPersona(context: BrowserContext, { persona, running }: Sample): Promise<void> {
  const page = await open(context, `/personas?persona=${persona}`)
  await page.getByRole('region', { name: 'Experiments' }).getByRole('link', { name: 'Dark screen at night' }).click()
  await titleOf(page, 'Dark screen at night').waitFor()
  check(new URL(page.url()).searchParams.get('experiment') === running, 'The persona leads to another experiment')
  await page.close()
}

const readAsViewer = (browser: Browser, sample: Sample): Promise<void> =>
  lookInGerman(browser, pathOf(sample, sample.running), async ({ page, look, hasNoAction }) => {
    await page.getByRole('link', { name: 'Nina Night' }).waitFor()
    await hasNoAction(/^Bearbeiten/, 'Entfernen', 'Beenden…', 'Neues Experiment', /lösen$/)
    await look('an experiment')
  })

/** The service refuses a change of an outdated record, and a removal may overtake a read. */
const signInAnew = (browser: Browser, name: string) =>
  signInAs(browser, [name, 'Trial', 'member'], { missing: /\/experiments\/EX-\d+$/ })

await driveConsole('The experiments of the console work', async (browser) => {
  const sample = await createSample()
  const first = await signInAnew(browser, 'Ines')
  await lookAtExperiments(browser, await first.storageState(), sample)
  await readAsViewer(browser, sample)
  const second = await signInAnew(browser, 'Jana')
  await workByKeyboard(second, sample)
  await goThroughPersona(second, sample)
  await settleConflict(second, sample)
  const third = await signInAnew(browser, 'Karl')
  await workByMouse(third, sample)
  await filterByStatus(third, sample)
})
