import { describedBy, Field } from '../components/field'
import { type Frame, pathOf, signInPathOf } from '../components/frame'
import { Layout } from '../components/layout'

export interface SignInProps {
  email: string
  /** Path of the portal to go to afterwards. */
  returnTo: string
  isCodeSent: boolean
  error: 'mail' | 'code' | null
}

function MailStep({ frame, form }: { frame: Frame; form: SignInProps }) {
  const { texts } = frame
  const { signInPage } = texts
  return (
    <section class="card stack loose">
      <div>
        <h1>{texts.signIn}</h1>
        <p class="muted">{signInPage.lede}</p>
      </div>
      <form class="stack" method="post" action={pathOf(frame, '/sign-in')}>
        <input type="hidden" name="return" value={form.returnTo} />
        <Field id="email" label={signInPage.mail} error={form.error === 'mail' ? signInPage.invalidMail : undefined}>
          <input
            class="input"
            id="email"
            name="email"
            type="email"
            value={form.email}
            autocomplete="email"
            required
            placeholder={signInPage.mailPlaceholder}
            aria-invalid={form.error === 'mail' ? 'true' : undefined}
            aria-describedby={form.error === 'mail' ? describedBy('email') : undefined}
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
function CodeStep({ frame, form }: { frame: Frame; form: SignInProps }) {
  const { texts } = frame
  const { signInPage } = texts
  return (
    <section class="card stack loose">
      <div>
        <h1>{signInPage.codeHeading}</h1>
        <p class="muted">{signInPage.sent(form.email)}</p>
      </div>
      <form class="stack" method="post" action={pathOf(frame, '/sign-in/code')}>
        <input type="hidden" name="return" value={form.returnTo} />
        <input type="hidden" name="email" value={form.email} />
        <Field
          id="code"
          label={signInPage.code}
          hint={signInPage.valid}
          error={form.error === 'code' ? signInPage.wrong : undefined}
        >
          <input
            class="input code-input"
            id="code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength={6}
            pattern="[0-9]{6}"
            required
            aria-invalid={form.error === 'code' ? 'true' : undefined}
            aria-describedby={describedBy('code')}
          />
        </Field>
        <button type="submit" class="btn primary">
          {texts.signIn}
        </button>
      </form>
      <form class="row wrap" method="post" action={pathOf(frame, '/sign-in')}>
        <input type="hidden" name="return" value={form.returnTo} />
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

export function SignInPage({ frame, form }: { frame: Frame; form: SignInProps }) {
  return (
    <Layout frame={frame} title={frame.texts.signIn}>
      <div class="sheet">
        {form.isCodeSent ? <CodeStep frame={frame} form={form} /> : <MailStep frame={frame} form={form} />}
      </div>
    </Layout>
  )
}
