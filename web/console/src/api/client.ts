import { createClient } from 'groundwork-client'
import { showAddress } from '../../../../src/text/shown-addresses'
import { send } from './connection'

const ADDRESS_PATTERN = /^(?:[^\s@]+@)?[a-z0-9.-]*xn--[a-z0-9.-]+$/

const showValue = (_: string, value: unknown) =>
  typeof value === 'string' && ADDRESS_PATTERN.test(value) ? showAddress(value) : value

/** People read addresses and domains with their letters. The service takes both forms. */
async function sendAndShow(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await send(input, init)
  const json = async (): Promise<unknown> => {
    const text = await response.text()
    return JSON.parse(text, text.includes('xn--') ? showValue : undefined)
  }
  return Object.assign(response, { json })
}

/** The cookie of the session signs each request. */
export const client = createClient({ url: location.origin, fetch: sendAndShow, retries: 1 })
