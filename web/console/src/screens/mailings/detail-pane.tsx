import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { Icon } from '../../parts/icon'
import { Loaded } from '../../parts/loaded'
import { BASE } from '../../state/place'
import { showToast } from '../../state/toast'
import { formatMoment } from '../../texts/formats'
import { DETAIL_TITLE, pathOf, type View } from './place'
import { Recipients } from './recipients'
import { isEnded, type Mailing, sendCancel, useMailing } from './requests'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'
import { Totals } from './totals'
import { useTarget } from './use-target'

interface PaneProps {
  view: View
  id: number
  may: boolean
}

export const DetailPane = ({ view, id, may }: PaneProps) => (
  <Loaded query={useMailing(id)} failed={texts.loadFailed}>
    {(mailing) => <Detail {...{ mailing, view, may }} />}
  </Loaded>
)

function Detail({ mailing, view, may }: { mailing: Mailing; view: View; may: boolean }) {
  const [isCanceling, setCanceling] = useState(false)
  return (
    <div class="mail-detail stack loose">
      <Heading mailing={mailing} view={view} cancel={may && !isEnded(mailing) ? () => setCanceling(true) : undefined} />
      <Totals mailing={mailing} />
      {mailing.totals.recipients > 0 ? <Recipients mailing={mailing} /> : <p class="muted">{texts.nobody}</p>}
      {isCanceling && (
        <AskDialog
          title={texts.cancelTitle}
          action={texts.cancel}
          failed={texts.notCanceled}
          onAct={async () => {
            await sendCancel(mailing.id)
            showToast(texts.wasCanceled)
          }}
          onClose={() => setCanceling(false)}
          onDone={() => requestAnimationFrame(() => document.getElementById(DETAIL_TITLE)?.focus())}
        >
          <p>{texts.cancelHint(mailing.totals.waiting)}</p>
        </AskDialog>
      )}
    </div>
  )
}

interface HeadingProps {
  mailing: Mailing
  view: View
  /** Absent if the role or the status does not allow it. */
  cancel: (() => void) | undefined
}

function Heading({ mailing, view, cancel }: HeadingProps) {
  const { subject, status, replyTo } = mailing
  const target = useTarget(mailing)
  return (
    <header class="stack tight">
      <div class="row wrap">
        <a
          class="btn ghost icon small back"
          href={BASE + pathOf({ ...view, mailing: undefined })}
          aria-label={texts.backToList}
        >
          <Icon name="back" />
        </a>
        <StatusBadge status={status} />
        <span class="sm muted">{target}</span>
        {cancel && (
          <button class="btn small danger push" type="button" onClick={cancel}>
            {texts.cancel}
          </button>
        )}
      </div>
      <h2 id={DETAIL_TITLE} tabIndex={-1}>
        {subject}
      </h2>
      <p class="sm muted">{describeTimes(mailing)}</p>
      {replyTo && <p class="sm muted">{texts.replyTo(replyTo)}</p>}
    </header>
  )
}

function describeTimes({ status, scheduledAt, createdAt, completedAt }: Mailing): string {
  const parts = [
    texts.acceptedAt(formatMoment(createdAt)),
    status === 'scheduled' && scheduledAt && texts.leavesAt(formatMoment(scheduledAt)),
    completedAt && texts.endedAt(formatMoment(completedAt)),
  ]
  return parts.filter(Boolean).join(' · ')
}
