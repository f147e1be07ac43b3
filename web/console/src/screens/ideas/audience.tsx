import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Icon } from '../../parts/icon'
import { texts } from './texts/texts'

export const NOTIFY_CHOICES = ['later', 'now', 'none'] as const
export type NotifyChoice = (typeof NOTIFY_CHOICES)[number]
type Audience = Operations['getStatusUpdateAudience']['data']

interface AudienceOfProps {
  ideaKey: string
  notify: NotifyChoice
  onChange: (notify: NotifyChoice) => void
}

/** Says before the click how many people a status update mails, and why others get no mail. */
export function AudienceOf({ ideaKey, notify, onChange }: AudienceOfProps) {
  const { data } = useQuery<Audience>({
    queryKey: ['feedback', ideaKey, 'audience'],
    queryFn: () => client.getStatusUpdateAudience({ feedback_external_key: ideaKey }),
  })
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
