import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { texts as shared } from '../../texts/texts'
import { MessageDialog } from './message-dialog'
import { type Mailing, PAGE, RECIPIENT_FILTERS, type Recipient, type RecipientFilter, useRecipients } from './requests'
import { RecipientBadge } from './status-badge'
import { texts } from './texts/texts'

const FILTERS = Object.keys(RECIPIENT_FILTERS) as RecipientFilter[]

const nameOf = ({ email }: Recipient): string => email || texts.removedPerson

/** Each person with the outcome and its reason. A person opens the message. */
export function Recipients({ mailing }: { mailing: Mailing }) {
  const [filter, setFilter] = useState<RecipientFilter>('all')
  const [limit, setLimit] = useState(PAGE)
  const [opened, open] = useState<Recipient>()
  const version = JSON.stringify([mailing.totals, mailing.status])
  const { data, error, refetch } = useRecipients(mailing.id, filter, limit, version)
  return (
    <section class="stack tight" aria-labelledby="mail-recipients">
      <div class="row wrap">
        <h3 id="mail-recipients">{texts.recipients}</h3>
        <fieldset class="segmented push" aria-label={texts.filter}>
          {FILTERS.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="recipients"
                checked={filter === name}
                onChange={() => {
                  setFilter(name)
                  setLimit(PAGE)
                }}
              />
              {texts.filters[name]}
            </label>
          ))}
        </fieldset>
      </div>
      {error && !data && <Failure title={texts.recipientsFailed} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data?.records.length === 0 && <p class="muted">{texts.noRecipients[filter]}</p>}
      {data && data.records.length > 0 && <Table recipients={data.records} onOpen={open} />}
      {data?.hasMore && (
        <p>
          <button class="btn small" type="button" onClick={() => setLimit(limit + PAGE)}>
            {shared.showMore}
          </button>
        </p>
      )}
      {opened && (
        <MessageDialog
          emailId={mailing.id}
          position={opened.position}
          name={nameOf(opened)}
          onClose={() => open(undefined)}
        />
      )}
    </section>
  )
}

interface TableProps {
  recipients: readonly Recipient[]
  onOpen: (recipient: Recipient) => void
}

const Table = ({ recipients, onOpen }: TableProps) => (
  <div class="card">
    <table class="table stack-table">
      <thead>
        <tr>
          <th scope="col">{texts.person}</th>
          <th scope="col">{texts.outcome}</th>
          <th scope="col">{texts.reason}</th>
        </tr>
      </thead>
      <tbody>
        {recipients.map((recipient) => (
          <tr key={recipient.position}>
            <th scope="row">
              <button
                class="mail-person wrap-text"
                type="button"
                aria-label={texts.openMessage(nameOf(recipient))}
                onClick={() => onOpen(recipient)}
              >
                {nameOf(recipient)}
              </button>
            </th>
            <td data-th={texts.outcome}>
              <RecipientBadge status={recipient.status} />
            </td>
            <td data-th={texts.reason} class="sm muted">
              <span class="wrap-text">{recipient.reason ?? '—'}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
