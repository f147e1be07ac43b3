import { useState } from 'preact/hooks'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { Banner } from '../../parts/banner'
import { Failure } from '../../parts/failure'
import { showToast } from '../../state/toast'
import { formatMoment } from '../../texts/formats'
import { ConfirmField, Consequences } from './consequences'
import { cancelErasure, scheduleErasure } from './requests'
import { texts } from './texts/texts'

export const WorkspaceCard = ({ workspace }: { workspace: Me['workspace'] }) =>
  workspace.eraseAt === null ? <EraseCard name={workspace.name} /> : <ScheduledErasure eraseAt={workspace.eraseAt} />

function EraseCard({ name }: { name: string }) {
  const [isAsking, ask] = useState(false)
  const [typed, setTyped] = useState('')
  return (
    <section class="card pad stack" aria-labelledby="data-erase">
      <h2 class="h3" id="data-erase">
        {texts.workspace.title}
      </h2>
      <p class="sm muted">{texts.workspace.hint}</p>
      <div class="row">
        <button class="btn danger" type="button" onClick={() => ask(true)}>
          {texts.workspace.ask(name)}
        </button>
      </div>
      {isAsking && (
        <AskDialog
          title={texts.workspace.ask(name)}
          action={texts.workspace.action}
          failed={texts.workspace.failed}
          isReady={typed === name}
          isDanger
          onAct={() => scheduleErasure(typed)}
          onClose={() => ask(false)}
        >
          <Consequences lines={texts.workspace.consequences} />
          <ConfirmField id="erase-name" label={texts.workspace.confirm(name)} value={typed} onInput={setTyped} />
        </AskDialog>
      )}
    </section>
  )
}

function ScheduledErasure({ eraseAt }: { eraseAt: string }) {
  const [isCanceling, setCanceling] = useState(false)
  const [error, setError] = useState<unknown>()
  async function cancel(): Promise<void> {
    setCanceling(true)
    setError(undefined)
    try {
      await cancelErasure()
      showToast(texts.workspace.canceled)
    } catch (cause) {
      setError(cause)
      setCanceling(false)
    }
  }
  return (
    <>
      {error !== undefined && <Failure title={texts.workspace.cancelFailed} error={error} />}
      <Banner
        tone="red"
        icon="warn"
        title={texts.workspace.scheduled(formatMoment(eraseAt))}
        action={
          <button class="btn small" type="button" aria-busy={isCanceling} disabled={isCanceling} onClick={cancel}>
            {texts.workspace.cancel}
          </button>
        }
      >
        {texts.workspace.scheduledHint}
      </Banner>
    </>
  )
}
