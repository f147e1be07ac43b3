import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { SecretDialog } from '../../parts/secret-dialog'
import { formatMoment } from '../../texts/formats'
import { readPortalAgain, rotateSecret } from './requests'
import { texts } from './texts/texts'

interface SecretCardProps {
  rotatedAt: string | null
  may: boolean
}

export function SecretCard({ rotatedAt, may }: SecretCardProps) {
  const [isAsking, ask] = useState(false)
  const [secret, setSecret] = useState<string>()
  const action = rotatedAt ? texts.secret.rotate : texts.secret.create
  return (
    <section class="card pad stack" aria-labelledby="portal-secret">
      <h2 class="h3" id="portal-secret">
        {texts.secret.title}
      </h2>
      <p class="sm muted">{texts.secret.hint}</p>
      <div class="row wrap">
        <p class="grow">{rotatedAt ? texts.secret.since(formatMoment(rotatedAt)) : texts.secret.none}</p>
        {may && (
          <button class="btn" type="button" onClick={() => ask(true)}>
            {action}
          </button>
        )}
      </div>
      {isAsking && (
        <AskDialog
          title={action}
          action={action}
          failed={texts.secret.failed}
          onAct={async () => setSecret((await rotateSecret()).secret)}
          onClose={() => ask(false)}
          onDone={() => void readPortalAgain()}
        >
          <p>{rotatedAt ? texts.secret.rotateHint : texts.secret.createHint}</p>
        </AskDialog>
      )}
      {secret && (
        <SecretDialog
          title={texts.secret.ready}
          label={texts.secret.label}
          secret={secret}
          copy={texts.secret.copy}
          copied={texts.secret.copied}
          onClose={() => setSecret(undefined)}
        >
          <p>{texts.secret.once}</p>
        </SecretDialog>
      )}
    </section>
  )
}
