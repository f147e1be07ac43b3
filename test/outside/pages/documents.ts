// Works with the documents and templates of the console in Chromium, by mouse and by keyboard alone, at two widths, light and dark.
import { Buffer } from 'node:buffer'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readClock } from '../../clock.ts'
import { driveConsole, lookInGerman, signInAs } from './drive.ts'
import { open, type SignedIn } from './ideas-page.ts'
import { check, inspect, lookEverywhere, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

interface Sample {
  product: string
  /** A document that was changed once. */
  document: string
  template: number
  /** Title of the template, its own in each run. */
  templateTitle: string
}

async function createSample(): Promise<Sample> {
  const stamp = String(readClock())
  const { externalKey: product } = await call<{ externalKey: string }>('POST', '/api/initiatives', {
    name: `Notes ${stamp}`,
  })
  const at = `/api/initiatives/${product}/documents`
  const first = { title: 'Shifts', content: '<p>Shifts begin at nine.</p>' }
  const { externalKey: document } = await call<{ externalKey: string }>('POST', at, first)
  await call('PUT', `${at}/${document}`, { content: '<h2>Begin</h2><p>Shifts begin at ten.</p>' })
  const templateTitle = `Interview ${stamp}`
  const { id: template } = await call<{ id: number }>('POST', '/api/v2/docs-hub/templates', {
    ...{ title: templateTitle, category: 'Research', content: '<h1>{{name}}</h1><p>The hardest part of the shift</p>' },
    variables: [{ key: 'name', label: 'Who was asked' }],
  })
  return { product, document, template, templateTitle }
}

const titleOf = (page: Page, title: string) => page.locator('#document-title', { hasText: title })
const rowOf = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true })

const lookAtDocuments = (browser: Browser, storageState: SignedIn, sample: Sample): Promise<void> =>
  lookEverywhere(browser, { storageState }, async ({ context, look }) => {
    const { product, document, template } = sample
    const page = await open(context, `/documents?product=${product}`)
    await rowOf(page, 'Shifts').waitFor()
    await look(page, 'the documents')
    await page.goto(`${serviceUrl}/console/documents?product=${product}&document=${document}`)
    await page.getByRole('button', { name: 'Text before' }).click()
    await page.getByText('Shifts begin at nine.').waitFor()
    await look(page, 'a document with its history')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Text' }).waitFor()
    await look(page, 'the text of a document')
    await page.goto(`${serviceUrl}/console/documents/templates?template=${template}`)
    await page.getByRole('button', { name: 'Use the template' }).waitFor()
    await look(page, 'a template')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Question of variable 1' }).waitFor()
    await look(page, 'the variables of a template')
    await page.close()
  })

const readDocument = (product: string, key: string) =>
  call<{ title: string; content: string }>('GET', `/api/initiatives/${product}/documents/${key}`)

/** Changes a document, brings the text before back, and adds a file. */
async function writeByMouse(context: BrowserContext, { product, document }: Sample): Promise<void> {
  const page = await open(context, `/documents?product=${product}`)
  await rowOf(page, 'Shifts').click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('<p>Shifts begin at <strong>eleven</strong>.</p>')
  await page.getByRole('region', { name: 'Preview of the text' }).getByText('eleven').waitFor()
  await page.getByRole('button', { name: 'Save the document' }).click()
  const article = page.getByRole('article')
  await article.getByText('eleven').waitFor()
  await page.locator('li', { hasText: 'Dora Documents' }).getByRole('button', { name: 'Text before' }).click()
  await page.getByRole('region', { name: 'Text before' }).getByText('Shifts begin at ten.').waitFor()
  await page.getByRole('button', { name: 'Use this text again' }).click()
  await article.getByText('Shifts begin at ten.').waitFor()
  await page.locator('li', { hasText: 'changed text' }).nth(2).waitFor()
  check((await readDocument(product, document)).content.includes('at ten'), 'The text before is not stored')
  const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Nine to five') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('link', { name: /plan\.txt/ }).waitFor()
  await page.getByRole('button', { name: 'Remove plan.txt' }).click()
  await page.getByText('plan.txt was removed from the document.').waitFor()
  await page.getByRole('link', { name: /plan\.txt/ }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: /plan\.txt/ }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export (CSV)' }).click()
  check((await download).suggestedFilename().endsWith('.csv'), 'The documents are not exported')
  await inspect(page, 'a document with a file')
  await page.close()
}

/** Adds a variable to a template, and creates a document from the template. */
async function useTemplateByMouse(context: BrowserContext, { product, templateTitle }: Sample): Promise<void> {
  const page = await open(context, `/documents?product=${product}`)
  await rowOf(page, 'Shifts').waitFor()
  await page.getByRole('link', { name: 'Templates' }).click()
  await rowOf(page, templateTitle).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('<h1>{{name}}</h1><p>{{answer}}</p>')
  await page.getByRole('button', { name: 'Save the template' }).click()
  await page.getByText('{{answer}} is not in the variables.').waitFor()
  await page.getByRole('button', { name: 'Add the variable answer' }).click()
  await page.getByRole('textbox', { name: 'Question of variable 2' }).fill('The hardest part')
  await page.getByRole('checkbox', { name: 'Needs a value' }).nth(1).uncheck()
  await page.getByRole('textbox', { name: 'Default of variable 2' }).fill('No answer')
  await page.getByRole('button', { name: 'Save the template' }).click()
  await page.getByRole('cell', { name: 'The hardest part' }).waitFor()
  await page.getByRole('button', { name: 'Use the template' }).click()
  const dialog = page.getByRole('dialog', { name: 'New document' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Interview with Nora')
  await dialog.getByRole('textbox', { name: 'Who was asked' }).fill('Nora <3')
  await inspect(page, 'a document from a template')
  await dialog.getByRole('button', { name: 'Create the document' }).click()
  await titleOf(page, 'Interview with Nora').waitFor()
  await page.getByRole('article').getByText('No answer').waitFor()
  await page.getByRole('link', { name: `from the template ${templateTitle}` }).waitFor()
  await page.close()
}

async function workByKeyboard(context: BrowserContext, { product }: Sample): Promise<void> {
  const page = await open(context, `/documents?product=${product}`)
  await rowOf(page, 'Shifts').waitFor()
  await page.keyboard.press('c')
  await page.locator('input[name=title]:focus').waitFor()
  await page.keyboard.type('Decisions')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.locator('form input:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('<p>We sign on the tablet.</p>')
  await page.keyboard.press('Tab')
  await page.locator('button:focus', { hasText: 'Save the document' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('article').getByText('We sign on the tablet.').waitFor()
  await page.locator('#document-title:focus').waitFor()
  await rowOf(page, 'Decisions').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText(/^DOC-\d+ was removed\.$/).waitFor()
  await rowOf(page, 'Decisions').waitFor({ state: 'hidden' })
  await page.keyboard.press('z')
  await rowOf(page, 'Decisions').waitFor()
  await titleOf(page, 'Shifts').waitFor()
  await page.keyboard.press('k')
  await titleOf(page, 'Decisions').waitFor()
  await page.keyboard.press('e')
  await page.locator('form input:focus').waitFor()
  await page.keyboard.press('Escape')
  await titleOf(page, 'Decisions').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No document is selected' }).waitFor()
  await page.close()
}

async function createTemplateByKeyboard(context: BrowserContext): Promise<void> {
  const title = `Decision ${readClock()}`
  const page = await open(context, '/documents/templates')
  await page.getByRole('heading', { name: 'No template is selected' }).waitFor()
  await page.keyboard.press('c')
  await page.locator('input[name=title]:focus').waitFor()
  await page.keyboard.type(title)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Decisions')
  await page.keyboard.press('Tab')
  await page.keyboard.type('<p>We decided that.</p>')
  await page.keyboard.press('Tab')
  await page.locator('button:focus', { hasText: 'Save the template' }).waitFor()
  await page.keyboard.press('Enter')
  await titleOf(page, title).waitFor()
  await rowOf(page, title).waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText('The template was removed. Its documents stay.').waitFor()
  await rowOf(page, title).waitFor({ state: 'hidden' })
  await page.keyboard.press('z')
  await rowOf(page, title).waitFor()
  await page.close()
}

/** Somebody else changes the template while the form is open: the typed text stays until the choice. */
async function meetConflict(context: BrowserContext, { template }: Sample): Promise<void> {
  const page = await open(context, `/documents/templates?template=${template}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('combobox', { name: 'Category' }).fill('Interviews')
  await call('PUT', `/api/v2/docs-hub/templates/${template}`, { category: 'Talks' })
  await page.getByRole('button', { name: 'Save the template' }).click()
  await page.getByText('changed this meanwhile: Category').waitFor()
  await inspect(page, 'a conflict about a template')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('region', { name: 'Template', exact: true }).getByText('Interviews').waitFor()
  await page.close()
}

async function readAsViewer(browser: Browser, { product, document, template }: Sample): Promise<void> {
  const at = `/documents?product=${product}&document=${document}`
  await lookInGerman(browser, at, async ({ page, look, hasNoAction }) => {
    const actions = ['Bearbeiten', 'Entfernen', 'Neues Dokument', 'Neue Vorlage', 'Vorlage verwenden']
    await page.locator('#document-title').waitFor()
    await hasNoAction(...actions)
    await look('a document')
    await page.goto(`${serviceUrl}/console/documents/templates?template=${template}`)
    await page.locator('#document-title').waitFor()
    await hasNoAction(...actions)
    await look('a template')
  })
}

await driveConsole('The documents and templates of the console work', async (browser) => {
  const sample = await createSample()
  // The service refuses a template with an unknown variable, and a change that others have overtaken.
  const missing = /\/documents\/DOC-\d+|\/docs-hub\/templates/
  const context = await signInAs(browser, ['Dora', 'Documents', 'member'], { missing })
  await lookAtDocuments(browser, await context.storageState(), sample)
  await readAsViewer(browser, sample)
  await workByKeyboard(context, sample)
  await createTemplateByKeyboard(context)
  await writeByMouse(context, sample)
  await useTemplateByMouse(context, sample)
  await meetConflict(context, sample)
})
