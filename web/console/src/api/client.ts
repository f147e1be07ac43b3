import { createClient } from 'groundwork-client'
import { send } from './connection'

/** The cookie of the session signs each request. */
export const client = createClient({ url: location.origin, fetch: send, retries: 1 })
