import type { Actor } from '../../db/sql/actor'
import { canRead } from '../../http/auth'
import type { Area } from '../../http/token'
import type { DigestItem } from './digest/compose'
import { parseDigestContent } from './digest/stored'
import type { MailKind } from './fields'

const AREAS_BY_MAILING_KIND: Partial<Record<MailKind, readonly Area[]>> = {
  feedback: ['feedback'],
  release: ['feedback', 'backlog'],
}

interface VariableContent {
  kind: string
  variables: string | null
  own: string | null
}

export function hideVariables<T extends VariableContent>(content: T, actor: Actor): T {
  const { kind, variables, own } = content
  if (kind === 'digest') return { ...content, variables: hideDigestItems(variables, actor) }
  const areas = AREAS_BY_MAILING_KIND[kind as MailKind]
  if (!areas) return content
  const { productId } = JSON.parse(variables ?? own ?? '{}') as { productId?: number }
  const covered = !actor.products || (productId !== undefined && actor.products.includes(productId))
  return covered && areas.every((area) => canRead(actor, area)) ? content : { ...content, variables: null, own: null }
}

function areasOfItem({ kind, slug }: DigestItem): readonly Area[] {
  if (kind === 'changelog') return ['feedback']
  if (slug === undefined) return ['backlog']
  return kind === 'release' ? ['feedback', 'backlog'] : ['feedback']
}

/** Texts that the key may not read stay variables. */
function hideDigestItems(variables: string | null, actor: Actor): string {
  const content = parseDigestContent(variables)
  const items = Object.entries(content.items).map(([id, item]): [string, DigestItem] => {
    const isCovered = !actor.products || item.productId === null || actor.products.includes(item.productId)
    if (isCovered && areasOfItem(item).every((area) => canRead(actor, area))) return [id, item]
    const { kind, productId, slug, message, comment } = item
    return [
      id,
      {
        ...{ kind, productId, key: '{{key}}', title: '{{title}}', status: '{{status}}', version: '{{version}}' },
        ...(slug !== undefined && { slug: '{{slug}}' }),
        ...(message !== undefined && { message: '{{message}}' }),
        ...(comment !== undefined && { comment: '{{comment}}' }),
      },
    ]
  })
  return JSON.stringify({ ...content, items: Object.fromEntries(items) })
}
