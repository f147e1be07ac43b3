import { describedBy, Field } from '../components/field'
import { type Frame, pathOf, signInPathOf } from '../components/frame'
import { Layout } from '../components/layout'

export interface SignInProps {
  email: string
  /** Path of the portal to go to afterwards. */
  returnTo: string
  /** Key of the idea that the visitor votes for with the sign-in; empty for none. */
  vote: string
  isCodeSent: boolean
  error: 'invalidMail' | 'wrong' | 'tooMany' | null
}

type StepProps = { frame: Frame; form: SignInProps }

const HiddenFields = ({ form }: Pick<StepProps, 'form'>) => (
  <>
    <input type="hidden" name="return" value={form.returnTo} />
    {form.vote ? <input type="hidden" name="vote" value={form.vote} /> : ''}
  </>
)

function MailStep({ frame, form }: StepProps) {
  const { texts } = frame
  const { signInPage } = texts
  const error = form.error ? signInPage[form.error] : undefined
  return (
    <section class="card stack loose">
      <div>
        <h1>{texts.signIn}</h1>
        <p class="muted">{form.vote ? signInPage.votes : signInPage.lede}</p>
      </div>
      <form class="stack" method="post" action={pathOf(frame, '/sign-in')}>
        <HiddenFields form={form} />
        <Field id="email" label={signInPage.mail} error={error}>
          <input
            class="input"
            id="email"
            name="email"
            type="email"
            value={form.email}
            autocomplete="email"
            required
            placeholder={signInPage.mailPlaceholder}
            aria-invalid={error ? 'true' : undefined}
            aria-describedby={error ? describedBy('email') : undefined}
          />
        </Field>
        <button type="submit" class="btn primary">
          {signInPage.send}
        </button>
      </form>
      {frame.portal.isPrivate ? (
        ''
      ) : (
        <p class="hint">
          {signInPage.readAlong} <a href={pathOf(frame, '')}>{signInPage.backToIdeas}</a>
        </p>
      )}
    </section>
  )
}

/** The same answer for every address. */
function CodeStep({ frame, form }: StepProps) {
  const { texts } = frame
  const { signInPage } = texts
  const error = form.error ? signInPage[form.error] : undefined
  return (
    <section class="card stack loose">
      <div>
        <h1>{signInPage.codeHeading}</h1>
        <p class="muted">{signInPage.sent(form.email)}</p>
      </div>
      <form class="stack" method="post" action={pathOf(frame, '/sign-in/code')}>
        <HiddenFields form={form} />
        <input type="hidden" name="email" value={form.email} />
        <Field id="code" label={signInPage.code} hint={signInPage.valid} error={error}>
          <input
            class="input code-input"
            id="code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength={6}
            pattern="[0-9]{6}"
            required
            aria-invalid={error ? 'true' : undefined}
            aria-describedby={describedBy('code')}
          />
        </Field>
        <button type="submit" class="btn primary">
          {texts.signIn}
        </button>
      </form>
      <form class="row wrap" method="post" action={pathOf(frame, '/sign-in')}>
        <HiddenFields form={form} />
        <input type="hidden" name="email" value={form.email} />
        <span class="hint">{signInPage.spam}</span>
        <button type="submit" class="btn small">
          {signInPage.again}
        </button>
        <a class="sm" href={signInPathOf(frame, form.returnTo)}>
          {signInPage.other}
        </a>
      </form>
    </section>
  )
}

export function SignInPage({ frame, form }: StepProps) {
  return (
    <Layout frame={frame} title={frame.texts.signIn}>
      <div class="sheet">
        {form.isCodeSent ? <CodeStep frame={frame} form={form} /> : <MailStep frame={frame} form={form} />}
      </div>
    </Layout>
  )
}
