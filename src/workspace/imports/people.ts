import { normalizeEmail } from '../../http/schemas'
import { toOneLine } from '../../text/attributes'

const NAME_WITH_ADDRESS_PATTERN = /^([^<>]{1,200})<\s*([^<>\s]{3,300})\s*>$/

/** A person of a file, and the key of the lookup among the members. */
export interface NamedMember {
  name: string
  key: string
}

export const readNamedMember = (texts: readonly string[]): NamedMember | undefined =>
  texts[0] === undefined ? undefined : { name: texts[0], key: createMemberKey(texts) }

/** Key of a member in the texts of a file: an address, a full name, or both, like `Ada Lovelace <ada@example.com>`. */
function createMemberKey(texts: readonly string[]): string {
  const emails: string[] = []
  const names: string[] = []
  for (const text of texts) {
    const [, before = text, address = text] = NAME_WITH_ADDRESS_PATTERN.exec(text) ?? []
    const email = normalizeEmail(address)
    if (email !== undefined) emails.push(email)
    if (email === undefined || address !== text) names.push(toOneLine(before))
  }
  return JSON.stringify({ emails, names })
}
