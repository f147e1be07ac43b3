import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { Failure } from '../../parts/failure'
import type { Hook, Tested } from './requests'
import { SAMPLES } from './samples'
import { texts } from './texts/texts'

const TONES = { processed: 'green', ignored: 'gray', failed: 'red' } as const

/** Shows what a payload would do. Nothing changes. */
export function TestPanel({ hook }: { hook: Hook }) {
  const [text, setText] = useState(() => JSON.stringify(SAMPLES[hook.provider], null, 2))
  const [tested, setTested] = useState<Tested>()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  async function test(event: Event): Promise<void> {
    event.preventDefault()
    setError(undefined)
    setTested(undefined)
    setSending(true)
    try {
      const payload: unknown = JSON.parse(text)
      setTested(await client.testIncomingWebhook({ incomingWebhookId: hook.id, body: { payload } }))
    } catch (cause) {
      setError(cause instanceof SyntaxError ? new Error(texts.notJson) : cause)
    } finally {
      setSending(false)
    }
  }
  return (
    <section class="card" aria-labelledby="hook-test">
      <header>
        <h3 id="hook-test">{texts.test}</h3>
      </header>
      <form class="body stack tight" onSubmit={test}>
        <div class="field">
          <label for="hook-payload">{texts.payload}</label>
          <textarea
            class="textarea mono"
            id="hook-payload"
            rows={8}
            spellcheck={false}
            value={text}
            aria-describedby="hook-payload-hint"
            onInput={({ currentTarget: { value } }) => setText(value)}
          />
          <p class="hint" id="hook-payload-hint">
            {texts.payloadHint}
          </p>
        </div>
        <div>
          <button class="btn" type="submit" disabled={isSending || text.trim() === ''} aria-busy={isSending}>
            {texts.runTest}
          </button>
        </div>
        {error !== undefined &&
          (error instanceof Error && error.message === texts.notJson ? (
            <p class="hook-problem" role="alert">
              {texts.notJson}
            </p>
          ) : (
            <Failure title={texts.notTested} error={error} />
          ))}
        <div role="status">{tested && <Outcome tested={tested} />}</div>
      </form>
    </section>
  )
}

const Outcome = ({ tested: { outcome, reason, request, comment, issues } }: { tested: Tested }) => (
  <div class="stack tight">
    <p class="row wrap">
      <span class="badge" data-tone={TONES[outcome]} data-state={outcome === 'processed' ? 'full' : 'off'}>
        {texts.outcomes[outcome]}
      </span>
      {reason && <span>{reason}</span>}
    </p>
    {issues.length > 0 && (
      <ul class="hook-issues sm">
        {issues.map(({ path, message }) => (
          <li key={path}>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    )}
    {request && (
      <pre class="hook-request">{`${request.method} ${request.path}\n\n${JSON.stringify(request.body, null, 2)}`}</pre>
    )}
    {comment && (
      <pre class="hook-request">
        {`${comment.removed ? texts.commentRemoved : texts.commentSaved} ${comment.id}\n\n${JSON.stringify(comment.body, null, 2)}`}
      </pre>
    )}
  </div>
)
