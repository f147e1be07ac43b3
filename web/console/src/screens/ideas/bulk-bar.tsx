import { useMemo, useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { NO_MAIL, nameWithMail } from '../../parts/mail-count'
import { useKeys } from '../../state/keys'
import { addTagToPicked, listRemovedPicks, removePicked, restorePicked, setStatusOfPicked } from './bulk'
import type { IdeaList } from './idea-list'
import { clearPicked, picked } from './picked'
import { useStatuses } from './requests'
import { labelOf } from './status-badge'
import { texts } from './texts/texts'

/** Acts on the selected rows. Its keys come before the keys of the idea. */
export function BulkBar({ list }: { list: IdeaList }) {
  const [opened, open] = useState<'status' | 'tag'>()
  const [failure, setFailure] = useState<{ error: unknown; retry: () => void }>()
  const close = () => open(undefined)
  const act = (run: (list: IdeaList) => Promise<void>) => () => {
    setFailure(undefined)
    run(list).catch((error: unknown) => setFailure({ error, retry: act(run) }))
  }
  const [remove, restore] = [act(removePicked), act(restorePicked)]
  const removedPicks = listRemovedPicks(list).length
  const hasLive = removedPicks < picked.value.size
  useKeys(
    useMemo(
      () => [
        ...(hasLive
          ? [
              { keys: 's', label: texts.bulkStatus, run: () => open('status') },
              { keys: 't', label: texts.bulkTag, run: () => open('tag') },
              { keys: 'Backspace', label: texts.remove, run: remove },
            ]
          : []),
        ...(removedPicks ? [{ keys: 'u', label: texts.restore, run: restore }] : []),
        { keys: 'Escape', label: texts.clearSelection, run: clearPicked },
      ],
      [list, hasLive, removedPicks > 0],
    ),
  )
  return (
    <>
      <section class="selected-ideas" aria-label={texts.selection}>
        <span class="sm" role="status">
          {texts.selected(picked.value.size)}
        </span>
        {hasLive && (
          <>
            <button class="btn ghost small" type="button" onClick={() => open('status')}>
              {texts.bulkStatus}
            </button>
            <button class="btn ghost small" type="button" onClick={() => open('tag')}>
              {texts.bulkTag}
            </button>
            <button class="btn ghost small danger" type="button" onClick={remove}>
              {texts.remove}
            </button>
          </>
        )}
        {removedPicks > 0 && (
          <button class="btn ghost small" type="button" onClick={restore}>
            {texts.restore}
          </button>
        )}
        <button class="btn ghost icon small" type="button" aria-label={texts.clearSelection} onClick={clearPicked}>
          <Icon name="x" />
        </button>
      </section>
      {failure && (
        <div class="pad">
          <Failure title={texts.notDone} error={failure.error} onRetry={failure.retry} />
        </div>
      )}
      {opened === 'status' && <StatusDialog list={list} onClose={close} />}
      {opened === 'tag' && <TagDialog list={list} onClose={close} />}
    </>
  )
}

interface DialogProps {
  list: IdeaList
  onClose: () => void
}

function StatusDialog({ list, onClose }: DialogProps) {
  const statuses = useStatuses()
  const [id, choose] = useState<number>()
  const [mails, setMails] = useState(false)
  const status = statuses.find((one) => one.id === id) ?? statuses[0]
  return (
    <AskDialog
      title={texts.bulkStatusTitle(picked.value.size)}
      action={nameWithMail(texts.setTo(status ? labelOf(status) : ''), mails ? undefined : NO_MAIL)}
      failed={texts.notDone}
      isReady={status !== undefined}
      onAct={async () => status && setStatusOfPicked(list, status, mails ? 'later' : 'none')}
      onClose={onClose}
    >
      <label class="field">
        <span class="label">{texts.newStatus}</span>
        <select
          class="select"
          value={status?.id}
          autofocus
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          {statuses.map((one) => (
            <option key={one.id} value={one.id}>
              {labelOf(one)}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={mails} onChange={(event) => setMails(event.currentTarget.checked)} />
        {texts.bulkMail}
      </label>
      <p class="sm muted">{mails ? texts.bulkMailed : texts.nobodyMailed}</p>
    </AskDialog>
  )
}

function TagDialog({ list, onClose }: DialogProps) {
  const [name, setName] = useState('')
  return (
    <AskDialog
      title={texts.bulkTagTitle(picked.value.size)}
      action={texts.addTag}
      failed={texts.notDone}
      isReady={name.trim() !== ''}
      onAct={() => addTagToPicked(list, name.trim())}
      onClose={onClose}
    >
      <label class="field">
        <span class="label">{texts.newTag}</span>
        <input class="input" maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
    </AskDialog>
  )
}
