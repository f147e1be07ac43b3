import { expect, test } from 'vitest'
import { send } from '../client'

test.each(['/console', '/console/imports/3?a=1', '/console/nowhere/at/all'])(
  '%s is the page of the console',
  async (path) => {
    const { response } = await send('GET', path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    expect(page).toContain('<script type="module" src="/assets/console.')
    // The page is the same for everybody.
    expect(page).toBe(await (await send('GET', '/console')).response.text())
  },
)
