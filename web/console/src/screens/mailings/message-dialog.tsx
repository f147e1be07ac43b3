import { Loaded } from '../../parts/loaded'
import { Modal } from '../../parts/modal'
import { Paper } from './paper'
import { useRendered } from './requests'
import { texts } from './texts/texts'

interface MessageDialogProps {
  emailId: number
  position: number
  name: string
  onClose: () => void
}

/** The message of one person, as it was rendered. */
export function MessageDialog({ emailId, position, name, onClose }: MessageDialogProps) {
  const query = useRendered(emailId, position)
  const title = texts.messageTitle(name)
  return (
    <Modal label={title} className="mail-dialog" onClose={onClose}>
      <header>
        <h2 class="h3">{title}</h2>
      </header>
      <div class="body stack">
        <Loaded query={query} failed={texts.messageFailed}>
          {({ message }) => <Paper message={message} />}
        </Loaded>
      </div>
      <footer>
        <button class="btn" type="button" onClick={onClose}>
          {texts.close}
        </button>
      </footer>
    </Modal>
  )
}
