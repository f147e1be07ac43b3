import { useEffect } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { showStored } from '../../api/queries'
import type { IdeaList } from './idea-list'
import { type Idea, readIdea, sendIdea } from './requests'

/** The idea with the changes of the person, which its row shows too. */
export function useIdea(current: Versioned<Idea>, list: IdeaList) {
  const key = current.record.external_key
  const change = useChange<Idea>({
    current,
    send: (fields, etag) => list.sendFor([key], () => sendIdea(key, fields, etag)),
    read: () => readIdea(key),
    accept: (stored) => showStored(['feedback', key], stored),
  })
  const idea = change.shown ?? current.record
  const { title, status_id, visibility_level, is_pinned, vote, comment, tags, work_item_external_id } = idea
  const row = { title, status_id, visibility_level, is_pinned, vote, comment, tags, work_item_external_id }
  useEffect(() => list.patch(key, row), [list, key, JSON.stringify(row)])
  return { ...change, idea }
}
