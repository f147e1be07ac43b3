import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { check, inspect, SCHEMES, serviceUrl } from './inspect.ts'
import type { SamplePortal } from './sample-portal.ts'

/** Policy of the page of another site: no inline styles. */
const CUSTOMER_POLICY = `default-src 'none'; script-src ${serviceUrl}; connect-src ${serviceUrl}`

const writeCustomerPage = (slug: string) => `<!doctype html>
<html lang="en"><head><title>Customer</title></head>
<body><main><h1>Customer</h1></main><script src="${serviceUrl}/widget.js" data-portal="${slug}" async></script></body></html>`

/** Another port is another origin, and a browser lets a page of this machine call this machine. */
async function serveCustomerPage(slug: string): Promise<{ url: string; stop: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': CUSTOMER_POLICY })
    response.end(writeCustomerPage(slug))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() }
}

/** The widget shows the ideas on the page of another site, by mouse and by keyboard. */
export async function useWidget(browser: Browser, { base, title }: SamplePortal): Promise<void> {
  const customer = await serveCustomerPage(base.split('/').at(-1) ?? '')
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({ viewport: { width: 390, height: 700 }, colorScheme })
    context.on('console', (message) => check(message.type() !== 'error', `The widget reports: ${message.text()}`))
    const page = await context.newPage()
    await page.goto(customer.url)
    const open = page.getByRole('button', { name: 'Feedback' })
    await open.click()
    const link = page.getByRole('link', { name: title })
    await link.waitFor()
    const address = (await link.getAttribute('href')) ?? ''
    check(address.startsWith(`${serviceUrl}${base}/en/ideas/IDEA-`), `The widget leads to ${address}`)
    await inspect(page, `the widget, ${colorScheme}`)
    const changelog = page.getByRole('button', { name: 'Changelog (1 unread)' })
    await changelog.click()
    const entry = page.getByRole('link', { name: 'Your clients sign on the tablet' })
    const entryAddress = (await entry.getAttribute('href')) ?? ''
    check(entryAddress.startsWith(`${serviceUrl}${base}/en/changelog/CL-`), `The widget leads to ${entryAddress}`)
    check(await page.getByRole('button', { name: 'Changelog', exact: true }).isVisible(), 'Entries stay unread')
    await inspect(page, `the changelog in the widget, ${colorScheme}`)
    await page.getByRole('button', { name: 'Ideas' }).click()
    await page.keyboard.press('Escape')
    check(!(await link.isVisible()), 'Escape does not close the widget')
    await page.keyboard.press('Enter')
    check(await link.isVisible(), 'The keyboard does not open the widget')
    await page.reload()
    await open.waitFor()
    check((await open.textContent()) === 'Feedback', 'An entry that was seen is unread after a reload')
    await context.close()
  }
  customer.stop()
}
