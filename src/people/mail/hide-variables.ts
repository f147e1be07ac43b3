import type { Actor } from '../../db/sql/actor'
import { canRead } from '../../http/auth'
import type { Area } from '../../http/token'
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
  const areas = AREAS_BY_MAILING_KIND[kind as MailKind]
  if (!areas) return content
  const { productId } = JSON.parse(variables ?? own ?? '{}') as { productId?: number }
  const covered = !actor.products || (productId !== undefined && actor.products.includes(productId))
  return covered && areas.every((area) => canRead(actor, area)) ? content : { ...content, variables: null, own: null }
}
