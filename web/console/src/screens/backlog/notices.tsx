import { nameOf, useUsers } from '../../api/users'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import type { Backlog } from './backlog-state'
import { labelOfProgress } from './progress-badge'
import type { ItemChange } from './requests'
import { texts } from './texts/texts'

const toLoggedFields = (field: keyof ItemChange): string[] =>
  field === 'owners' ? ['userId'] : field === 'points' ? ['storyPoint', 'estimate'] : [field]

/** What did not work, and the ways out. */
export function Notices({ backlog }: { backlog: Backlog }) {
  const failure = backlog.failure.value
  const conflict = backlog.conflict.value
  const users = useUsers()
  const show = (field: keyof ItemChange, value: ItemChange[keyof ItemChange]): string => {
    if (field === 'progress') return labelOfProgress(String(value))
    if (field !== 'owners') return String(value ?? '')
    const ids = (value ?? []) as readonly number[]
    return users
      .filter(({ id }) => ids.includes(id))
      .map(nameOf)
      .join(', ')
  }
  if (!failure && !conflict) return null
  return (
    <div class="notices stack tight">
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          record={{
            ...{ product: backlog.product, key: conflict.item.key, mark: conflict.mark },
            fields: conflict.fields.flatMap(toLoggedFields),
          }}
          show={show}
          name={(field) => `${conflict.item.key} ${texts.fields[field]}`}
        />
      )}
      {failure && <Failure title={failure.title} error={failure.error} onRetry={failure.retry} />}
    </div>
  )
}
