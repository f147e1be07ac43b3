import { useEffect, useState } from 'preact/hooks'
import { queries } from '../api/queries'
import { continueSession, knownPerson } from '../api/session-end'
import { Modal } from '../parts/modal'
import { texts } from '../texts/texts'

type Problem = 'tooMany' | 'failed' | 'wrong'

const TOO_MANY_STATUS = 429
const WRONG_STATUSES = [400, 401]

/** Answers why the request was refused, or did not come through. */
async function send(path: string, body: object): Promise<Problem | undefined> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined)
  if (response?.ok) return undefined
  if (response?.status === TOO_MANY_STATUS) return 'tooMany'
  return response && WRONG_STATUSES.includes(response.status) ? 'wrong' : 'failed'
}

const CODE_PATTERN = '[0-9]{6}'

/** The page stays as it is behind the dialog, with what the person has typed. */
export function SignInAgain() {
  const [step, setStep] = useState<'ask' | 'code'>('ask')
  const [problem, setProblem] = useState<Problem>()
  const { email = '', workspaceId } = knownPerson() ?? {}
  const askForCode = async (event: Event) => {
    event.preventDefault()
    const problem = await send('/api/v2/sign-in', { email })
    setProblem(problem)
    if (!problem) setStep('code')
  }
  const sendCode = async (event: SubmitEvent) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get('code'))
    const problem = await send('/api/v2/sign-in/code', { email, code, workspaceId })
    setProblem(problem)
    if (!problem) continueSession()
  }
  useEffect(() => () => void queries.invalidateQueries(), [])
  return (
    <Modal label={texts.sessionEnd.title}>
      <form onSubmit={step === 'ask' ? askForCode : sendCode}>
        <header>
          <h2 class="h3">{texts.sessionEnd.title}</h2>
        </header>
        <div class="body stack">
          <p>{step === 'ask' ? texts.sessionEnd.hint(email) : texts.sessionEnd.sent(email)}</p>
          {problem && step === 'ask' && (
            <p class="error" role="alert">
              {texts.sessionEnd.problems[problem]}
            </p>
          )}
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
                aria-invalid={problem === 'wrong'}
                aria-describedby="code-hint"
              />
              <p id="code-hint" class={problem ? 'error' : 'hint'} role={problem && 'alert'}>
                {problem ? texts.sessionEnd.problems[problem] : texts.sessionEnd.codeHint}
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
