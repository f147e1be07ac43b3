import { showAddress } from '../../text/shown-addresses'
import { describedBy, Field } from '../components/field'
import { type Frame, pathOf, signInPathOf, withQuery } from '../components/frame'
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

interface StepProps {
  frame: Frame
  form: SignInProps
  /** Host of the provider at which the team signs in; null for none. */
  provider: string | null
}

const HiddenFields = ({ form }: Pick<StepProps, 'form'>) => (
  <>
    <input type="hidden" name="return" value={form.returnTo} />
    {form.vote ? <input type="hidden" name="vote" value={form.vote} /> : ''}
  </>
)

/** A link, because a form of the page may lead to no other site. */
function ProviderLink({ frame, form, provider }: StepProps) {
  const { signInPage } = frame.texts
  if (provider === null) return ''
  const href = withQuery('/sign-in/oidc/start', { portal: frame.portal.slug, next: form.returnTo })
  return (
    <div class="stack">
      <a class="btn" href={href}>
        {signInPage.provider(provider)}
      </a>
      <p class="hint">{form.vote ? signInPage.providerVotes : signInPage.providerHint}</p>
    </div>
  )
}

function MailStep({ frame, form, provider }: StepProps) {
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
            value={showAddress(form.email)}
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
      <ProviderLink {...{ frame, form, provider }} />
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
function CodeStep({ frame, form }: Omit<StepProps, 'provider'>) {
  const { texts } = frame
  const { signInPage } = texts
  const error = form.error ? signInPage[form.error] : undefined
  return (
    <section class="card stack loose">
      <div>
        <h1>{signInPage.codeHeading}</h1>
        <p class="muted">{signInPage.sent(showAddress(form.email))}</p>
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

export function SignInPage({ frame, form, provider }: StepProps) {
  return (
    <Layout frame={frame} title={frame.texts.signIn}>
      <div class="sheet">
        {form.isCodeSent ? <CodeStep frame={frame} form={form} /> : <MailStep {...{ frame, form, provider }} />}
      </div>
    </Layout>
  )
}
