import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { AskDialog } from '../../parts/ask-dialog'
import { showToast } from '../../state/toast'
import { type ReplayBody, readAgain, type Webhook } from './requests'
import { texts } from './texts/texts'

interface ReplayDialogProps {
  webhook: Webhook
  onClose: () => void
}

const STATUSES = ['failed', 'discarded', 'delivered', 'all'] as const
type Choice = (typeof STATUSES)[number]
const DAY_MS = 86_400_000
const MINUTE_LENGTH = 16

/** The value of a field of local time, to the minute. */
function toLocal(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, MINUTE_LENGTH)
}

export function ReplayDialog({ webhook, onClose }: ReplayDialogProps) {
  const [choice, choose] = useState<Choice>('failed')
  const [from, setFrom] = useState(() => toLocal(Date.now() - DAY_MS))
  const [to, setTo] = useState('')
  async function replay(): Promise<void> {
    const body: ReplayBody = {
      from: new Date(from).toISOString(),
      ...(to && { to: new Date(to).toISOString() }),
      ...(choice !== 'all' && { status: choice }),
    }
    await client.replayWebhook({ webhookId: webhook.id, body })
    await readAgain()
    showToast(texts.wereReplayed)
  }
  return (
    <AskDialog
      title={texts.replayTitle(webhook.name)}
      action={texts.replayAction}
      failed={texts.notReplayed}
      isReady={from !== ''}
      onAct={replay}
      onClose={onClose}
    >
      <fieldset>
        <legend class="label">{texts.replayWhich}</legend>
        <div class="stack tight">
          {STATUSES.map((status) => (
            <label key={status} class="check">
              <input type="radio" name="which" checked={choice === status} onChange={() => choose(status)} />
              <span>{texts.replayChoices[status]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="field">
        <label for="replay-from">{texts.from}</label>
        <input
          class="input"
          id="replay-from"
          type="datetime-local"
          required
          value={from}
          onInput={({ currentTarget: { value } }) => setFrom(value)}
        />
      </div>
      <div class="field">
        <label for="replay-to">{texts.to}</label>
        <input
          class="input"
          id="replay-to"
          type="datetime-local"
          value={to}
          aria-describedby="replay-hint"
          onInput={({ currentTarget: { value } }) => setTo(value)}
        />
        <p class="hint" id="replay-hint">
          {texts.replayHint}
        </p>
      </div>
    </AskDialog>
  )
}
