import { useMemo, useState } from 'preact/hooks'
import { client } from '../../api/client'
import { mayChange, maySee } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { leaveRow, useListKeys } from '../../parts/list-keys'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { showToast } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { Direction } from '../webhooks/direction'
import { CreateDialog } from './create-dialog'
import { DetailPane } from './detail-pane'
import { IssuedDialog } from './issued-dialog'
import { ListPane } from './list-pane'
import { readShown, select, toRows } from './place'
import { type Hook, type NewHook, readAgain, useHooks } from './requests'
import { texts } from './texts/texts'

export default function IncomingScreen(props: ScreenProps) {
  if (maySee(props.me, 'webhooks:read')) return <Incoming {...props} />
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={props.main} tabIndex={-1} class="padded">
        <Empty icon="lock" title={texts.notAllowed} hint={texts.notAllowedHint} />
      </main>
    </>
  )
}

/** The next row gets the focus. */
async function remove(hooks: readonly Hook[] | undefined, { id, provider }: Hook): Promise<void> {
  await client.removeIncomingWebhook({ incomingWebhookId: id })
  leaveRow(toRows(hooks), String(id))
  await readAgain()
  const name = texts.rowName(texts.providers[provider], id)
  const restore = async () => {
    await client.restoreIncomingWebhook({ incomingWebhookId: id })
    await readAgain()
    select(id)
  }
  showToast(texts.wasRemoved(name), restore)
}

function Incoming({ me, main }: ScreenProps) {
  const { hook } = readShown()
  const { data, error, refetch } = useHooks()
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<NewHook>()
  const [failed, fail] = useState<unknown>()
  const isEditor = mayChange(me, 'webhooks')
  useListKeys(toRows(data?.hooks), texts.keys)
  useKeys(
    useMemo(
      () => (isEditor ? [{ keys: 'c', label: texts.createTitle, run: () => setCreating(true) }] : []),
      [isEditor],
    ),
  )
  const removeHook = (gone: Hook) => {
    fail(undefined)
    remove(data?.hooks, gone).catch(fail)
  }
  return (
    <>
      <Bar title={texts.title}>
        <Direction current="incoming" class="only-wide" />
        {isEditor && (
          <button class="btn small primary" type="button" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {texts.create}
          </button>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class={hook ? 'panes detail' : 'panes'}>
        <ListPane
          hooks={data?.hooks}
          error={error}
          isEditor={isEditor}
          onRetry={() => void refetch()}
          onCreate={() => setCreating(true)}
        />
        <section class="pane" aria-label={texts.detail}>
          {failed !== undefined && <Failure title={texts.notRemoved} error={failed} />}
          {hook ? (
            <DetailPane key={hook} me={me} id={hook} onMade={setMade} onRemove={removeHook} />
          ) : (
            <Empty icon="webhook" title={texts.none} hint={texts.noneHint} />
          )}
        </section>
      </main>
      {isCreating && <CreateDialog me={me} onMade={setMade} onClose={() => setCreating(false)} />}
      {made && <IssuedDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}
