import { client } from '../../api/client'
import { queries } from '../../api/queries'
import { showToast } from '../../state/toast'
import { readSelected, select } from './filters'
import type { IdeaList } from './idea-list'
import type { Idea } from './requests'
import { labelOf } from './status-badge'
import { texts } from './texts/texts'
import { findRow, goToRow } from './use-list-keys'

const paramsOf = (key: string) => ({ feedback_external_key: key })
const readAgain = (key: string) => queries.invalidateQueries({ queryKey: ['feedback', key] })

/** The row says that the idea was removed, and the next row gets the focus. A failure stands above the list. */
export async function removeIdea(list: IdeaList, key: string): Promise<void> {
  const next = findRow(list, 1)
  list.markRemoved([key])
  list.failure.value = undefined
  if (readSelected() === key) goToRow(next === key ? findRow(list, -1) : next)
  try {
    await list.sendFor([key], () => client.removeFeedbackItem(paramsOf(key)))
    showToast(texts.wasRemoved(key), () => restoreIdeas(list, [key]))
  } catch (error) {
    list.markRestored([key])
    list.failure.value = { error, retry: () => void removeIdea(list, key) }
  }
}

export async function restoreIdeas(list: IdeaList, keys: readonly string[]): Promise<void> {
  await list.sendFor(keys, async () => {
    for (const key of keys) await client.restoreFeedbackItem(paramsOf(key))
  })
  list.markRestored(keys)
  for (const key of keys) void readAgain(key)
}

export async function mergeIdeas(list: IdeaList, key: string, into: string): Promise<void> {
  await client.mergeFeedbackItem({ ...paramsOf(key), body: { into } })
  list.markRemoved([key], 'merged')
  queries.removeQueries({ queryKey: ['feedback', key] })
  if (readSelected() === key) select(into, { replaces: true })
  void readAgain(into)
  void queries.invalidateQueries({ queryKey: ['similar', into] })
  showToast(texts.wasMerged(key, into), () => unmergeIdea(list, key, into))
}

export async function unmergeIdea(list: IdeaList, key: string, from: string): Promise<void> {
  await client.unmergeFeedbackItem(paramsOf(key))
  list.markRestored([key])
  queries.removeQueries({ queryKey: ['feedback', key] })
  void readAgain(from)
  void queries.invalidateQueries({ queryKey: ['similar', from] })
  showToast(texts.wasUnmerged(key), () => mergeIdeas(list, key, from))
}

export type Promotion = { type: 'epic' | 'feature' | 'userstory' } | { into: string }

export async function promoteIdea({ external_key: key, status_id: before }: Idea, how: Promotion): Promise<void> {
  const stored = await client.promoteFeedbackItem({ ...paramsOf(key), body: how })
  await readAgain(key)
  const status = stored.status_id === before ? undefined : labelOf({ name: stored.currentStatus ?? '' })
  showToast(texts.wasLinked(stored.work_item_external_id ?? '', status), () => unlinkIdea(key))
}

export async function unlinkIdea(key: string): Promise<void> {
  await client.unlinkFeedbackItem(paramsOf(key))
  await readAgain(key)
}
