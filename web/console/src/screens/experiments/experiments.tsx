import { useMemo, useState } from 'preact/hooks'
import { type Me, mayChange } from '../../api/me'
import { useProductAt } from '../../api/product-at'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { leaveRow, useListKeys } from '../../parts/list-keys'
import { WithoutProduct } from '../../parts/without-product'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { showCreated, showToast } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { ExperimentDialog } from './experiment-dialog'
import { ListPane } from './list-pane'
import { PATH, pathOf, readView, select, toRows, type View } from './place'
import { type ListedExperiment, listWithout, readAgain, sendRemoval, sendRestore, useExperimentList } from './requests'
import { texts } from './texts/texts'

export default function ExperimentScreen({ me, main }: ScreenProps) {
  const product = useProductAt(PATH)
  const view = product ? readView(product) : undefined
  const may = mayChange(me, 'backlog')
  const [isCreating, create] = useState(false)
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.keys.create, run: () => create(true) }] : []), [may]))
  return (
    <>
      <Bar title={texts.title}>
        {may && view && (
          <button
            class={view.experiment ? 'btn small' : 'btn small primary'}
            type="button"
            onClick={() => create(true)}
          >
            <Icon name="plus" />
            {texts.create}
          </button>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class={view?.experiment ? 'panes detail' : 'panes'}>
        {view ? <Panes key={product} view={view} me={me} onCreate={() => create(true)} /> : <WithoutProduct />}
      </main>
      {isCreating && view && (
        <ExperimentDialog
          product={view.product}
          onClose={() => create(false)}
          onCreate={(key) => {
            // A new experiment is a draft, which the filter may hide.
            select({ ...view, statuses: [] }, key)
            showCreated(key, pathOf({ ...view, statuses: [], experiment: key }))
            void readAgain()
          }}
        />
      )}
    </>
  )
}

/** The row goes at once, and the next row gets the focus. */
async function remove(view: View, experiments: readonly ListedExperiment[], key: string): Promise<void> {
  const place = { product: view.product, key }
  leaveRow(toRows(view, experiments), key)
  listWithout(view, key)
  try {
    await sendRemoval(place)
    showToast(texts.wasRemoved(key), () => sendRestore(place).then(readAgain))
  } finally {
    void readAgain()
  }
}

function Panes({ view, me, onCreate }: { view: View; me: Me; onCreate: () => void }) {
  const { data: experiments, error, refetch } = useExperimentList(view)
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const removeSelected = () => {
    const key = view.experiment
    if (!key) return
    fail(undefined)
    remove(view, experiments ?? [], key).catch((cause: unknown) => fail({ error: cause, retry: removeSelected }))
  }
  useListKeys(toRows(view, experiments), texts.keys)
  return (
    <>
      <ListPane
        {...{ view, experiments, error, onCreate }}
        may={mayChange(me, 'backlog')}
        onRetry={() => void refetch()}
      />
      <section class="pane" aria-label={texts.detail}>
        {failed && <Failure title={texts.notRemoved} error={failed.error} onRetry={failed.retry} />}
        {view.experiment ? (
          <DetailPane
            key={view.experiment}
            {...{ me, view }}
            place={{ product: view.product, key: view.experiment }}
            onRemove={removeSelected}
          />
        ) : (
          <Empty icon="experiment" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
    </>
  )
}
