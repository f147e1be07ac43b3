import type { Conflict } from '../../api/change'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { labelOfProgress } from '../backlog/progress-badge'
import { nameOf, useUsers } from '../backlog/requests'
import type { WorkItem } from './requests'
import { texts } from './texts/texts'

interface ItemNoticesProps {
  conflict: Conflict<WorkItem> | undefined
  failure: { error: unknown; retry: () => void } | undefined
}

const readText = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''

/** What did not work, and the ways out. */
export function ItemNotices({ conflict, failure }: ItemNoticesProps) {
  const users = useUsers()
  const show = (field: keyof WorkItem, value: WorkItem[keyof WorkItem]): string => {
    if (field === 'progress') return labelOfProgress(String(value))
    if (field === 'description') return readText(String(value))
    if (field !== 'userId') return String(value ?? '')
    const ids = value as readonly number[]
    return users
      .filter(({ id }) => ids.includes(id))
      .map(nameOf)
      .join(', ')
  }
  const name = (field: keyof WorkItem): string => texts.fields[field as keyof typeof texts.fields] ?? field
  return (
    <>
      {conflict && <ConflictBanner conflict={conflict} show={show} name={name} />}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
    </>
  )
}
