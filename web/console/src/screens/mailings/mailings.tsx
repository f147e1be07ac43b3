import { useMemo, useState } from 'preact/hooks'
import { type Me, maySee } from '../../api/me'
import { Empty } from '../../parts/empty'
import { useListKeys } from '../../parts/list-keys'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { goTo } from '../../state/place'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { ListPane } from './list-pane'
import { COMPOSE_PATH, readView, toRows, type View } from './place'
import { PAGE, useMailings } from './requests'
import { texts } from './texts/texts'

export default function MailingScreen({ me, main }: ScreenProps) {
  const view = readView()
  const maySeeMail = maySee(me, 'mail:read')
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={main} tabIndex={-1} class={view.mailing ? 'panes detail' : 'panes'}>
        {maySeeMail ? (
          <Panes key={view.group} view={view} me={me} />
        ) : (
          <Empty icon="lock" title={texts.title} hint={texts.noRole} />
        )}
      </main>
    </>
  )
}

function Panes({ view, me }: { view: View; me: Me }) {
  const may = maySee(me, 'mail:write')
  const [limit, setLimit] = useState(PAGE)
  const { data, error, refetch } = useMailings(view.group, limit)
  useListKeys(toRows(view, data?.records), texts.keys)
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.keys.compose, run: () => goTo(COMPOSE_PATH) }] : []), [may]))
  return (
    <>
      <ListPane
        {...{ view, may, error }}
        pages={data}
        onRetry={() => void refetch()}
        onMore={() => setLimit(limit + PAGE)}
      />
      <section class="pane" aria-label={texts.detail}>
        {view.mailing ? (
          <DetailPane key={view.mailing} view={view} id={view.mailing} may={may} />
        ) : (
          <Empty icon="mail" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
    </>
  )
}
