import { useMemo, useState } from 'preact/hooks'
import { type Me, mayChange } from '../../api/me'
import { useProductAt } from '../../api/product-at'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { leaveRow, type RowList, useListKeys } from '../../parts/list-keys'
import { WithoutProduct } from '../../parts/without-product'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { showCreated, showToast } from '../../state/toast'
import { texts as shellTexts } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { ListPane } from './list-pane'
import { NewDocumentDialog } from './new-document-dialog'
import { DETAIL_TITLE, go, PATH, pathOf, readView, type View } from './place'
import { type ListedDocument, listWithout, readAgain, sendRemoval, sendRestore, useDocumentList } from './requests'
import { texts } from './texts/texts'

export default function DocumentScreen({ me, main }: ScreenProps) {
  const product = useProductAt(PATH)
  const view = product ? readView(product) : undefined
  return (
    <>
      <Bar title={shellTexts.documents} />
      <main id="main" ref={main} tabIndex={-1} class={view?.document ? 'panes detail' : 'panes'}>
        {view ? <Panes key={product} me={me} view={view} /> : <WithoutProduct />}
      </main>
    </>
  )
}

/** The documents as the rows of the list. */
const toRows = (view: View, documents: readonly ListedDocument[] | undefined): RowList => ({
  ...{ keys: (documents ?? []).map(({ externalKey }) => externalKey), selected: view.document, detail: DETAIL_TITLE },
  select: (key) => go({ ...view, document: key }),
})

/** The row goes at once, and the next row gets the focus. */
async function remove(view: View, documents: readonly ListedDocument[], key: string): Promise<void> {
  const place = { product: view.product, key }
  leaveRow(toRows(view, documents), key)
  listWithout(place)
  try {
    await sendRemoval(place)
    showToast(texts.wasRemoved(key), () => sendRestore(place).then(readAgain))
  } finally {
    void readAgain()
  }
}

function Panes({ me, view }: { me: Me; view: View }) {
  const [pages, setPages] = useState(1)
  const { data: list, error, refetch } = useDocumentList(view.product, view.q, pages)
  const documents = list?.documents
  const [isCreating, create] = useState(false)
  const [edited, edit] = useState<string>()
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const may = mayChange(me, 'personas')
  const removeSelected = () => {
    const key = view.document
    if (!key) return
    fail(undefined)
    remove(view, documents ?? [], key).catch((cause: unknown) => fail({ error: cause, retry: removeSelected }))
  }
  useListKeys(toRows(view, documents), texts.keys)
  useKeys(useMemo(() => (may ? [{ keys: 'c', label: texts.keys.create, run: () => create(true) }] : []), [may]))
  return (
    <>
      <ListPane
        {...{ view, list, may, error }}
        onRetry={() => void refetch()}
        onMore={() => setPages(pages + 1)}
        onCreate={() => create(true)}
      />
      <section class="pane" aria-label={texts.detail}>
        {failed && <Failure title={texts.notRemoved} error={failed.error} onRetry={failed.retry} />}
        {view.document ? (
          <DetailPane
            key={view.document}
            {...{ me, view, may }}
            place={{ product: view.product, key: view.document }}
            isEditing={edited === view.document}
            onEdit={(isEditing) => edit(isEditing ? view.document : undefined)}
            onRemove={removeSelected}
          />
        ) : (
          <Empty icon="file" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
      {isCreating && (
        <NewDocumentDialog
          product={view.product}
          onClose={() => create(false)}
          onCreate={(key, isBlank) => {
            if (isBlank) edit(key)
            go({ ...view, document: key })
            showCreated(key, pathOf({ ...view, document: key }))
          }}
        />
      )}
    </>
  )
}
