import { client } from '../../api/client'
import { AskDialog } from '../../parts/ask-dialog'
import type { Webhook } from './requests'
import { showSecret } from './secret'
import { texts } from './texts/texts'

interface RotateDialogProps {
  webhook: Webhook
  onClose: () => void
}

export const RotateDialog = ({ webhook: { id, name }, onClose }: RotateDialogProps) => (
  <AskDialog
    title={texts.rotateTitle(name)}
    action={texts.rotate}
    failed={texts.notRotated}
    isReady
    onAct={async () => showSecret(await client.rotateWebhookSecret({ webhookId: id }))}
    onClose={onClose}
  >
    <p>{texts.rotateHint}</p>
  </AskDialog>
)
