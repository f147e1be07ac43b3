import type { Context } from 'hono'
import type { AppEnv } from './response'

export const PUBLISHABLE_KEY_PREFIX = 'pk_'

const PUBLISHABLE_KEY_PATTERN = /^(?:Bearer +)?pk_([0-9a-f]{32})$/i

export const isPublishableKey = (header: string | undefined): boolean => /^(?:Bearer +)?pk_/i.test(header ?? '')

export const readPublishableKey = (c: Context<AppEnv>): string | undefined =>
  [c.req.header('x-api-key'), c.req.header('authorization')].find(isPublishableKey)

/** Id of the key in the database; undefined for a malformed key. */
export const idOfPublishableKey = (header: string): string | undefined =>
  PUBLISHABLE_KEY_PATTERN.exec(header)?.[1]?.toLowerCase()
