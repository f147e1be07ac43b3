import type { Conflict } from '../../api/change'
import { useChanger } from '../../api/changer'
import { type Me, mayFollowEvents } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { nameOf, useUsers } from '../backlog/requests'

interface RecordConflictProps<R> {
  me: Me
  /** Absent for a record of all products. */
  product?: string | undefined
  conflict: Conflict<R>
  show: (field: keyof R, value: R[keyof R]) => string
  name: (field: keyof R) => string
}

interface ChangedRecord {
  externalKey: string
  updatedAt: string
}

/** Names the other person where the role may read events. */
export function RecordConflict<R extends ChangedRecord>(props: RecordConflictProps<R>) {
  return mayFollowEvents(props.me) ? <NamedConflict {...props} /> : <ConflictBanner {...props} />
}

function NamedConflict<R extends ChangedRecord>(props: RecordConflictProps<R>) {
  const { product, conflict } = props
  const { fields, theirs } = conflict
  const users = useUsers()
  const actor = useChanger({ product, key: theirs.externalKey }, fields as readonly string[], theirs.updatedAt)
  const user = users.find(({ id }) => id === actor?.userId)
  return <ConflictBanner {...props} by={user ? nameOf(user) : (actor?.keyName ?? undefined)} />
}
