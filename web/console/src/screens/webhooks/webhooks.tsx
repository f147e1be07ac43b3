import { useEffect, useState } from 'preact/hooks'
import { mayChange, maySee } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Icon } from '../../parts/icon'
import { Bar } from '../../shell/bar'
import type { ScreenProps } from '../screens'
import { CreateDialog } from './create-dialog'
import { DetailPane } from './detail-pane'
import { Direction } from './direction'
import { ListPane } from './list-pane'
import { readShown } from './paths'
import { forgetSecret, issued } from './secret'
import { SecretDialog } from './secret-dialog'
import { texts } from './texts/texts'
import { useListKeys } from './use-list-keys'

export default function WebhooksScreen(props: ScreenProps) {
  if (maySee(props.me, 'webhooks:read')) return <Webhooks {...props} />
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={props.main} tabIndex={-1} class="padded">
        <Empty icon="lock" title={texts.notAllowed} hint={texts.notAllowedHint} />
      </main>
    </>
  )
}

function Webhooks({ me, main }: ScreenProps) {
  const { webhook } = readShown()
  const [isCreating, setCreating] = useState(false)
  const isEditor = mayChange(me, 'webhooks')
  const create = () => setCreating(true)
  useListKeys(isEditor ? create : undefined)
  useEffect(() => forgetSecret, [])
  return (
    <>
      <Bar title={texts.title}>
        <Direction current="outgoing" class="only-wide" />
        {isEditor && (
          <button class="btn small primary" type="button" onClick={create}>
            <Icon name="plus" />
            {texts.create}
          </button>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class={webhook ? 'panes detail' : 'panes'}>
        <ListPane isEditor={isEditor} onCreate={create} />
        <DetailPane key={webhook} me={me} id={webhook} />
      </main>
      {isCreating && <CreateDialog me={me} onClose={() => setCreating(false)} />}
      {issued.value && <SecretDialog {...issued.value} />}
    </>
  )
}
