import { useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { useProductAt } from '../../api/product-at'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { useListKeys } from '../../parts/list-keys'
import { WithoutProduct } from '../../parts/without-product'
import { Bar } from '../../shell/bar'
import { showCreated } from '../../state/toast'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { KpiDialog } from './kpi-dialog'
import { ListPane } from './list-pane'
import { PATH, pathOf, readView, select, type View } from './place'
import { removeKpi } from './remove-kpi'
import { readAgain, sendNewKpi, useKpis } from './requests'
import { texts } from './texts/texts'
import { toRows, useCreateKey } from './use-keys'

export default function KpiScreen({ me, main }: ScreenProps) {
  const product = useProductAt(PATH)
  const may = mayChange(me, 'kpis')
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={main} tabIndex={-1} class={paneClass(product)}>
        {product ? <Panes key={product} view={readView(product)} may={may} /> : <WithoutProduct />}
      </main>
    </>
  )
}

const paneClass = (product: string | undefined): string =>
  `panes kpis${product && readView(product).kpi ? ' detail' : ''}`

function Panes({ view, may }: { view: View; may: boolean }) {
  const { data: kpis, error, refetch } = useKpis(view.product)
  const [isCreating, create] = useState(false)
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const remove = (key: string) => {
    fail(undefined)
    removeKpi(view, kpis ?? [], key).catch((error: unknown) => fail({ error, retry: () => remove(key) }))
  }
  useListKeys(toRows(view, kpis), texts.keys)
  useCreateKey(may, () => create(true))
  return (
    <>
      <ListPane {...{ view, kpis, may }} error={error} onRetry={() => void refetch()} onCreate={() => create(true)} />
      <section class="pane" aria-label={texts.detail}>
        {failed && <Failure title={texts.notRemoved} error={failed.error} onRetry={failed.retry} />}
        {view.kpi ? (
          <DetailPane
            key={view.kpi}
            {...{ view, may }}
            place={{ product: view.product, key: view.kpi }}
            onRemove={() => remove(view.kpi ?? '')}
          />
        ) : (
          <Empty icon="chart" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
      {isCreating && (
        <KpiDialog
          title={texts.create}
          action={texts.createKpi}
          onClose={() => create(false)}
          onSave={async (fields) => {
            const key = await sendNewKpi(view, fields)
            select(view, key)
            showCreated(key, pathOf({ ...view, kpi: key }))
            void readAgain()
          }}
        />
      )}
    </>
  )
}
