import { client } from '../../api/client'
import { queries } from '../../api/queries'
import { describeMail, NO_MAIL } from '../../parts/mail-count'
import { showToast } from '../../state/toast'
import { restoreIdeas } from './acts'
import { readSelected, select } from './filters'
import type { IdeaList } from './idea-list'
import { clearPicked, picked } from './picked'
import type { ListedIdea, Status } from './requests'
import { texts } from './texts/texts'

type BulkOperations = Parameters<typeof client.bulkFeedbackItems>[0]['body']

/** Sends the operations as one transaction, and throws what the first failed operation says. */
async function send(body: BulkOperations): Promise<void> {
  const { results } = await client.bulkFeedbackItems({ atomic: 'true', body })
  const failed = results.find(({ success }) => !success)
  if (failed) throw new Error(failed.message)
  void queries.invalidateQueries({ queryKey: ['feedback'] })
}

const pickedIdeas = (list: IdeaList): ListedIdea[] =>
  (list.ideas.value ?? []).filter(({ external_key: key }) => picked.value.has(key) && !list.removed.value.has(key))

/** Keys of the selected rows whose ideas were removed. */
export const listRemovedPicks = (list: IdeaList): string[] =>
  [...picked.value].filter((key) => list.removed.value.has(key))

const update = (ideas: readonly ListedIdea[], bodyOf: (idea: ListedIdea) => Record<string, unknown>): BulkOperations =>
  ideas.map((idea) => ({ op: 'update', externalKey: idea.external_key, body: bodyOf(idea) }))

/** Shows the new values at once, and the former values again if the service refuses. */
async function change(
  list: IdeaList,
  valuesOf: (idea: ListedIdea) => Partial<ListedIdea>,
  bodyOf: (idea: ListedIdea) => Record<string, unknown>,
): Promise<ListedIdea[]> {
  const former = pickedIdeas(list)
  for (const idea of former) list.patch(idea.external_key, valuesOf(idea))
  try {
    await list.sendFor(
      former.map(({ external_key }) => external_key),
      () => send(update(former, bodyOf)),
    )
  } catch (error) {
    for (const idea of former) list.patch(idea.external_key, idea)
    throw error
  }
  clearPicked()
  return former
}

function offerUndo(
  list: IdeaList,
  text: string,
  former: readonly ListedIdea[],
  bodyOf: (idea: ListedIdea) => Record<string, unknown>,
) {
  showToast(text, async () => {
    for (const idea of former) list.patch(idea.external_key, idea)
    try {
      await send(update(former, bodyOf))
    } catch (error) {
      void list.readFirst()
      throw error
    }
  })
}

/** Mail that has not left is taken back by the undo. */
export async function setStatusOfPicked(list: IdeaList, { id }: Status, notify: 'later' | 'none'): Promise<void> {
  const former = await change(
    list,
    () => ({ status_id: id }),
    () => ({ status_id: id, notify }),
  )
  const text = texts.bulkChangedMail(former.length, describeMail(notify === 'none' ? NO_MAIL : undefined))
  offerUndo(list, text, former, ({ status_id }) => ({ status_id, notify: 'none' }))
}

export async function addTagToPicked(list: IdeaList, name: string): Promise<void> {
  const tagsOf = ({ tags }: ListedIdea) =>
    tags.some(({ key }) => key.toLowerCase() === name.toLowerCase())
      ? tags
      : [...tags, { id: 0, key: name, slug: name }]
  const former = await change(
    list,
    (idea) => ({ tags: tagsOf(idea) }),
    (idea) => ({ tags: tagsOf(idea).map(({ key }) => key) }),
  )
  offerUndo(list, texts.bulkChanged(former.length), former, ({ tags }) => ({ tags: tags.map(({ key }) => key) }))
}

export async function removePicked(list: IdeaList): Promise<void> {
  const keys = pickedIdeas(list).map(({ external_key }) => external_key)
  if (keys.includes(readSelected() ?? '')) select(undefined, { replaces: true })
  await list.sendFor(keys, () => send(keys.map((externalKey) => ({ op: 'delete', externalKey }))))
  list.markRemoved(keys)
  clearPicked()
  showToast(texts.bulkRemoved(keys.length), () => restoreIdeas(list, keys))
}

export async function restorePicked(list: IdeaList): Promise<void> {
  const keys = listRemovedPicks(list)
  await restoreIdeas(list, keys)
  clearPicked()
  showToast(texts.bulkRestored(keys.length))
}
