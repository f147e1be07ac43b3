import { toAsciiAddress } from '../../text/addresses'
import type { PayloadPlanInput } from './fields'
import { findValueAtPath } from './path'
import { PROVIDER_PROFILES } from './providers'

const foldAuthor = (author: string) => toAsciiAddress(author).toLowerCase()

/** The account that caused the event, if the webhook leaves out its events. `mapped`: the author by the mapping. */
export function findAuthorToIgnore(
  { provider, exceptAuthors, mapping }: PayloadPlanInput,
  payload: unknown,
  mapped: unknown,
): string | undefined {
  if (!exceptAuthors.length) return undefined
  const ignored = new Set(exceptAuthors.map(foldAuthor))
  const named =
    mapping.author === undefined
      ? PROVIDER_PROFILES[provider].authorsAt.map((path) => findValueAtPath(payload, path))
      : [mapped]
  return named
    .filter((author) => typeof author === 'string' || typeof author === 'number')
    .map(String)
    .find((author) => ignored.has(foldAuthor(author)))
}
