import { SecretDialog } from '../../parts/secret-dialog'
import type { NewKey } from './key-requests'
import { texts } from './texts/texts'

export const TokenDialog = ({ made, onClose }: { made: NewKey; onClose: () => void }) => (
  <SecretDialog
    title={texts.keys.tokenTitle(made.name)}
    label={texts.keys.token}
    secret={made.token}
    copy={texts.keys.copy}
    copied={texts.keys.copied}
    onClose={onClose}
  >
    <p>{made.kind === 'secret' ? texts.keys.tokenOnce : texts.keys.tokenAgain}</p>
  </SecretDialog>
)
