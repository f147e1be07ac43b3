import { isReachable } from '../api/connection'
import { texts } from '../texts/texts'
import { Icon } from './icon'

/** A change that waits for the network. */
export const Waiting = ({ isSaving }: { isSaving: boolean }) =>
  isSaving && !isReachable.value ? (
    <span class="waiting" title={texts.offline.waits}>
      <Icon name="clock" />
      <span class="sr">{texts.offline.waits}</span>
    </span>
  ) : null
