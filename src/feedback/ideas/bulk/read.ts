import type * as z from 'zod'
import { referenceTo } from '../../../db/sql/references'
import type { BulkOperation } from '../../../http/bulk'
import { readFurtherMembers } from '../../../http/bulk-members'
import { issuesOfError } from '../../../http/issues'
import { safeParseInput } from '../../../http/safe-parse'
import { ApiError, type Issue } from '../../../text/errors'
import { slugify } from '../../../text/slug'
import type { TagName } from '../queries/tags'
import { readFeedbackBody } from '../read'
import { CreateFeedbackItem, FeedbackItem } from '../schema'

type CreateFeedbackBody = z.output<typeof CreateFeedbackItem>

export interface BulkIdea extends BulkOperation {
  product: string
  slug: string
  user: CreateFeedbackBody['user']
  body: Partial<Omit<CreateFeedbackBody, 'product' | 'user' | 'tags'>>
  tags: TagName[]
}

const toUnreadableIdea = (issues: Issue[]): BulkIdea => ({
  ...{ op: 'create', references: [], issues },
  ...{ product: '', slug: '', user: undefined, body: {}, tags: [] },
})

/** An invalid item must not reject the rest. */
export async function readBulkIdeas(given: readonly unknown[]): Promise<BulkIdea[]> {
  const ideas: BulkIdea[] = []
  for (const one of given) ideas.push(await readBulkIdea(one))
  return ideas
}

async function readBulkIdea(given: unknown): Promise<BulkIdea> {
  const checked = safeParseInput(CreateFeedbackItem, given)
  const issues = checked.success ? [] : issuesOfError(checked.error)
  const about = { schema: CreateFeedbackItem, shown: FeedbackItem, path: '/api/feedback-items', created: {} }
  issues.push(...readFurtherMembers({ ...about, body: given }).issues)
  if (!checked.success || issues.length) return toUnreadableIdea(issues)
  try {
    const { body, tags = [], references } = await readFeedbackBody(checked.data)
    const { product, user, tags: _, ...own } = body
    const all = [...referenceTo('product', '/product', product), ...references]
    return { op: 'create', references: all, issues: [], product, user, slug: slugify(body.title), body: own, tags }
  } catch (cause) {
    if (cause instanceof ApiError) return toUnreadableIdea(cause.issues)
    throw cause
  }
}
