import type { Context } from 'hono'
import { withHookBody } from '../../http/hook'
import type { AppEnv } from '../../http/response'
import { ApiError } from '../../text/errors'
import type { OpenPortal } from './open-portal'

/** 20,000 characters of any script, each escaped as up to twelve signs, and room for the other fields. */
const MAX_FORM_BYTES = 300_000
const FORM_TYPE_PATTERN = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** The fields that a browser sends for a form without files. */
export async function readForm(c: Context<AppEnv>, { actor }: OpenPortal): Promise<URLSearchParams> {
  if (!FORM_TYPE_PATTERN.test(c.req.header('content-type') ?? ''))
    throw new ApiError('unsupported_media_type', 'Send the fields as application/x-www-form-urlencoded.')
  const { subscriptionId } = actor
  return withHookBody(
    c,
    { subscriptionId, maxBytes: MAX_FORM_BYTES },
    async (body) => new URLSearchParams(new TextDecoder().decode(body)),
  )
}

const CONTROL_PATTERN = /[^\P{Cc}\n\r\t]/gu

/** Text of a field, without control characters. */
export const readText = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').toWellFormed().replaceAll(CONTROL_PATTERN, '').trim()

/** Text of a field of one line. */
export const readLine = (form: URLSearchParams, name: string): string => readText(form, name).replaceAll(/\s+/g, ' ')
