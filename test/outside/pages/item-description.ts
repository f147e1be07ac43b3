// Writes the description of an item in the editor, by keyboard and by mouse.
import type { BrowserContext, Page } from 'playwright-core'
import { SMALL, waitFor } from './backlog-items.ts'
import { check, inspect, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const area = (page: Page) => page.getByRole('textbox', { name: 'Description' })
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name })

/** The text as HTML, with a preview. */
export async function openHtml(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit as HTML' }).click()
  await page.locator('textarea#description').waitFor()
}

const PASTED = `<p style="color: red" onclick="alert(1)">Pasted <b>text</b></p><script>alert(1)</script>
<table><tbody><tr><td>a cell</td></tr></tbody></table><p><a href="javascript:alert(1)">no link</a></p>`

const paste = (page: Page, html: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', ${JSON.stringify(html)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.getElementById('description').dispatchEvent(event)
  })()`)

const writeWithKeys = async (page: Page): Promise<void> => {
  const { keyboard } = page
  await keyboard.type('Offline first')
  await page.getByRole('combobox', { name: 'Paragraph or heading' }).selectOption('Heading 2')
  await page.locator('#description:focus').waitFor()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await keyboard.type('Keep ')
  await keyboard.press('Control+b')
  await keyboard.type('all')
  await keyboard.press('Control+b')
  await keyboard.type(' photos ')
  await keyboard.press('Control+i')
  await keyboard.type('safe')
  await keyboard.press('Control+i')
  await keyboard.type(' here')
  await keyboard.press('Enter')
  await keyboard.press('Control+Shift+Digit8')
  await keyboard.type('rooms')
  await keyboard.press('Enter')
  await keyboard.type('doors')
  check(
    (await tool(page, 'Bulleted list').getAttribute('aria-pressed')) === 'true',
    'The toolbar does not show the list',
  )
  await keyboard.press('Enter')
  await keyboard.press('Enter')
}

const writeWithMouse = async (page: Page): Promise<void> => {
  const { keyboard } = page
  await keyboard.type('guide')
  for (let n = 0; n < 'guide'.length; n++) await keyboard.press('Shift+ArrowLeft')
  await tool(page, 'Link').click()
  const address = page.getByRole('textbox', { name: 'Address of the link' })
  await address.fill('javascript:alert(1)')
  await page.getByRole('button', { name: 'Set the link' }).click()
  await page.getByText('Type an address of the web or of a mailbox.').waitFor()
  await inspect(page, 'the field of a link')
  await address.fill('example.com/guide')
  await page.getByRole('button', { name: 'Set the link' }).click()
  await page.locator('#description:focus').waitFor()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await tool(page, 'Numbered list').click()
  await keyboard.type('first')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await tool(page, 'Code').click()
  await keyboard.type('npm start')
  await keyboard.press('Control+End')
}

/** Every button and key of the editor, a paste, and what the service stores. */
export async function describeItem(context: BrowserContext): Promise<void> {
  const at = `/api/initiatives/${SMALL}`
  const { externalKey: key } = await call<{ externalKey: string }>('POST', `${at}/epics`, { summary: 'Described' })
  const readText = async () => (await call<{ description: string }>('GET', `${at}/epics/${key}`)).description
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog/${key}?product=${SMALL}`)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await page.locator('#description:focus').waitFor()
  await writeWithKeys(page)
  await writeWithMouse(page)
  await inspect(page, 'the editor with a text')
  await page.getByRole('button', { name: 'Save the description' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Description' }).getByText('npm start').waitFor()
  await waitFor('The description is not stored', async () => (await readText()) !== '')
  const written = await readText()
  for (const part of [
    '<h2>Offline first</h2>',
    '<p>Keep <strong>all</strong> photos <em>safe</em> here</p>',
    '<ul><li>rooms</li><li>doors</li></ul>',
    '<a href="https://example.com/guide">guide</a>',
    '<ol><li>first</li></ol>',
    '<pre>npm start</pre>',
  ])
    check(written.includes(part), `The editor does not store ${part}: ${written}`)
  await page.getByRole('button', { name: 'Edit the description' }).click()
  await page.locator('#description:focus').waitFor()
  await paste(page, PASTED)
  await area(page).getByText('a cell').waitFor()
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
  await page.getByRole('button', { name: 'Save the description' }).click()
  await stored
  const pasted = await readText()
  check(pasted.includes('<h2>Offline first</h2>'), `A second edit loses the text: ${pasted}`)
  check(pasted.includes('<strong>text</strong>') && pasted.includes('<td>a cell</td>'), `A paste is lost: ${pasted}`)
  check(!/style=|onclick|script/.test(pasted), `A paste keeps what is unsafe: ${pasted}`)
  await page.close()
}
