import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Icon } from '../../parts/icon'
import { formatList } from '../../texts/formats'
import { nameOf } from './requests'
import { texts } from './texts/texts'

export const NOTIFY_CHOICES = ['later', 'now', 'none'] as const
export type NotifyChoice = (typeof NOTIFY_CHOICES)[number]
type Audience = Operations['getStatusUpdateAudience']['data']

export const useAudience = (ideaKey: string) =>
  useQuery<Audience>({
    queryKey: ['feedback', ideaKey, 'audience'],
    queryFn: () => client.getStatusUpdateAudience({ feedback_external_key: ideaKey }),
  })

interface AudienceOfProps {
  data: Audience | undefined
  notify: NotifyChoice
  onChange: (notify: NotifyChoice) => void
}

/** Says before the click how many people a status update mails, and why others get no mail. */
export function AudienceOf({ data, notify, onChange }: AudienceOfProps) {
  const summary = notify === 'none' ? texts.nobodyMailed : data && texts.mailed(data.recipients, data.isComplete)
  return (
    <>
      <button class="btn ghost small" type="button" popovertarget="audience" disabled={!summary}>
        <Icon name="audience" />
        {summary ?? texts.countingPeople}
      </button>
      <div class="menu audience" id="audience" popover="auto" role="group" aria-label={texts.mail}>
        {data && (
          <p class="sm">
            <strong>{summary}</strong>
            <br />
            <span class="muted">{texts.followers(data)}</span>
          </p>
        )}
        {data && notify !== 'none' && <Recipients audience={data} />}
        <fieldset class="stack tight">
          <legend class="sr">{texts.mail}</legend>
          {NOTIFY_CHOICES.map((choice) => (
            <label key={choice} class="check sm">
              <input type="radio" name="notify" checked={notify === choice} onChange={() => onChange(choice)} />
              {texts.notify[choice]}
            </label>
          ))}
        </fieldset>
      </div>
    </>
  )
}

/** The first people by name, and how many more there are. */
function Recipients({ audience: { people, recipients, isComplete } }: { audience: Audience }) {
  const others = recipients - people.length
  const names = people.map((person) => nameOf(person) || (person.email ?? ''))
  if (!names.length) return null
  return (
    <p class="sm recipients">
      <span class="muted">{texts.recipients}:</span>{' '}
      {formatList(others > 0 ? [...names, texts.otherPeople(others, isComplete)] : names)}
    </p>
  )
}
