import { useMemo, useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { useProductAt } from '../../api/product-at'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { leaveRow, useListKeys } from '../../parts/list-keys'
import { WithoutProduct } from '../../parts/without-product'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { showCreated, showToast } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { ListPane } from './list-pane'
import { PATH, pathOf, readView, select, toRows, type View } from './place'
import {
  type ListedVersion,
  listWithout,
  readAgain,
  sendNewVersion,
  sendRemoval,
  sendRestore,
  useVersionList,
} from './requests'
import { texts } from './texts/texts'
import { VersionDialog } from './version-dialog'

export default function VersionScreen({ me, main }: ScreenProps) {
  const product = useProductAt(PATH)
  const may = mayChange(me, 'backlog')
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={main} tabIndex={-1} class={product && readView(product).version ? 'panes detail' : 'panes'}>
        {product ? <Panes key={product} view={readView(product)} may={may} /> : <WithoutProduct />}
      </main>
    </>
  )
}

/** The row goes at once, and the next row gets the focus. */
async function remove(view: View, versions: readonly ListedVersion[], key: string): Promise<void> {
  const place = { product: view.product, key }
  leaveRow(toRows(view, versions), key)
  listWithout(place)
  try {
    await sendRemoval(place)
    showToast(texts.wasRemoved(key), () => sendRestore(place).then(readAgain))
  } finally {
    void readAgain()
  }
}

function Panes({ view, may }: { view: View; may: boolean }) {
  const { data: versions, error, refetch } = useVersionList(view.product)
  const [isCreating, create] = useState(false)
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const removeSelected = () => {
    const key = view.version
    if (!key) return
    fail(undefined)
    remove(view, versions ?? [], key).catch((cause: unknown) => fail({ error: cause, retry: removeSelected }))
  }
  useListKeys(toRows(view, versions), texts.keys)
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.keys.create, run: () => create(true) }] : []), [may]))
  return (
    <>
      <ListPane {...{ view, versions, may, error }} onRetry={() => void refetch()} onCreate={() => create(true)} />
      <section class="pane" aria-label={texts.detail}>
        {failed && <Failure title={texts.notRemoved} error={failed.error} onRetry={failed.retry} />}
        {view.version ? (
          <DetailPane
            key={view.version}
            {...{ view, may }}
            place={{ product: view.product, key: view.version }}
            onRemove={removeSelected}
          />
        ) : (
          <Empty icon="release" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
      {isCreating && (
        <VersionDialog
          title={texts.create}
          action={texts.createVersion}
          onClose={() => create(false)}
          onSave={async (fields) => {
            const key = await sendNewVersion(view.product, fields)
            select(view, key)
            showCreated(key, pathOf({ ...view, version: key }))
            void readAgain()
          }}
        />
      )}
    </>
  )
}
