import { useMemo, useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { leaveRow, useListKeys } from '../../parts/list-keys'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { chosenProduct } from '../../state/product'
import { showCreated, showToast } from '../../state/toast'
import { texts as shellTexts } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { ListPane } from './list-pane'
import { NewEntryDialog } from './new-entry-dialog'
import { pathOf, readView, select, toRows, type View } from './place'
import { type ListedEntry, listWithout, readAgain, sendRemoval, sendRestore, useEntryList } from './requests'
import { texts } from './texts/texts'

/** Entries of the chosen product, or of the workspace. */
export default function ChangelogScreen({ me, main }: ScreenProps) {
  const view = readView()
  const product = chosenProduct.value
  return (
    <>
      <Bar title={shellTexts.changelog} />
      <main id="main" ref={main} tabIndex={-1} class={view.entry ? 'panes detail' : 'panes'}>
        <Panes key={product} product={product} view={view} may={mayChange(me, 'feedback')} />
      </main>
    </>
  )
}

/** The row goes at once, and the next row gets the focus. */
async function remove(view: View, entries: readonly ListedEntry[], key: string): Promise<void> {
  leaveRow(toRows(view, entries), key)
  listWithout(key)
  try {
    await sendRemoval(key)
    showToast(texts.wasRemoved(key), () => sendRestore(key).then(readAgain))
  } finally {
    void readAgain()
  }
}

function Panes({ product, view, may }: { product: string | null; view: View; may: boolean }) {
  const [pages, setPages] = useState(1)
  const { data: list, error, refetch } = useEntryList({ product, q: view.q, status: view.status }, pages)
  const entries = list?.entries
  const [isCreating, create] = useState(false)
  const [edited, edit] = useState<string>()
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const removeSelected = () => {
    const key = view.entry
    if (!key) return
    fail(undefined)
    remove(view, entries ?? [], key).catch((cause: unknown) => fail({ error: cause, retry: removeSelected }))
  }
  const knownLabels = useMemo(() => [...new Set(entries?.flatMap(({ labels }) => labels))].sort(), [entries])
  useListKeys(toRows(view, entries), texts.keys)
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
        {view.entry ? (
          <DetailPane
            key={view.entry}
            id={view.entry}
            {...{ view, may, knownLabels }}
            isEditing={edited === view.entry}
            onEdit={(isEditing) => edit(isEditing ? view.entry : undefined)}
            onRemove={removeSelected}
          />
        ) : (
          <Empty icon="news" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
      {isCreating && (
        <NewEntryDialog
          onClose={() => create(false)}
          onCreate={(key) => {
            edit(key)
            select(key)
            showCreated(key, pathOf({ ...readView(), entry: key }))
          }}
        />
      )}
    </>
  )
}
