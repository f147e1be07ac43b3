import { useState } from 'preact/hooks'
import { queries } from '../api/queries'
import { continueSession, knownPerson } from '../api/session-end'
import { Modal } from '../parts/modal'
import { texts } from '../texts/texts'

const send = (path: string, body: object) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const CODE_PATTERN = '[0-9]{6}'

/** The page stays as it is behind the dialog, with what the person has typed. */
export function SignInAgain() {
  const [step, setStep] = useState<'ask' | 'code'>('ask')
  const [isWrong, setWrong] = useState(false)
  const { email = '', workspaceId } = knownPerson() ?? {}
  const askForCode = async (event: Event) => {
    event.preventDefault()
    await send('/api/v2/sign-in', { email })
    setStep('code')
  }
  const sendCode = async (event: SubmitEvent) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get('code'))
    const response = await send('/api/v2/sign-in/code', { email, code, workspaceId })
    setWrong(!response.ok)
    if (!response.ok) return
    continueSession()
    void queries.invalidateQueries()
  }
  return (
    <Modal label={texts.sessionEnd.title}>
      <form onSubmit={step === 'ask' ? askForCode : sendCode}>
        <header>
          <h2 class="h3">{texts.sessionEnd.title}</h2>
        </header>
        <div class="body stack">
          <p>{step === 'ask' ? texts.sessionEnd.hint(email) : texts.sessionEnd.sent(email)}</p>
          {step === 'code' && (
            <div class="field">
              <label for="code">{texts.sessionEnd.code}</label>
              <input
                class="input"
                id="code"
                name="code"
                inputMode="numeric"
                autocomplete="one-time-code"
                pattern={CODE_PATTERN}
                required
                aria-invalid={isWrong}
                aria-describedby="code-hint"
              />
              <p id="code-hint" class={isWrong ? 'error' : 'hint'}>
                {isWrong ? texts.sessionEnd.wrong : texts.sessionEnd.codeHint}
              </p>
            </div>
          )}
        </div>
        <footer>
          <a class="btn ghost" href="/sign-in?next=/console" target="_self">
            {texts.sessionEnd.other}
          </a>
          <button class="btn primary" type="submit">
            {step === 'ask' ? texts.sessionEnd.send : texts.sessionEnd.confirm}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
