import { useEffect, useMemo, useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { useProducts } from '../../api/products'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { leaveRow, type RowList, useListKeys } from '../../parts/list-keys'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { goTo } from '../../state/place'
import { chosenProduct } from '../../state/product'
import { showToast } from '../../state/toast'
import { texts as shellTexts } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { NewDocumentDialog } from './new-document-dialog'
import { DETAIL_TITLE, PATH, pathOf, readTemplate, selectTemplate } from './place'
import { TemplateList } from './template-list'
import { TemplatePane } from './template-pane'
import {
  type ListedTemplate,
  listWithoutTemplate,
  readTemplatesAgain,
  sendTemplateRemoval,
  sendTemplateRestore,
  useTemplateList,
} from './template-requests'
import { NewTemplate } from './template-writing'
import { texts } from './texts/texts'

type Mode = 'new' | 'edit' | 'use'

export default function TemplateScreen({ me, main }: ScreenProps) {
  const { data: templates, error, refetch } = useTemplateList()
  const selected = readTemplate()
  const products = useProducts()
  const product = (products.find(({ externalKey }) => externalKey === chosenProduct.value) ?? products[0])?.externalKey
  const [mode, setMode] = useState<Mode>()
  useEffect(() => setMode(undefined), [selected])
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const may = mayChange(me, 'personas')
  const rows = toRows(templates, selected)
  const removeSelected = () => {
    if (!selected) return
    fail(undefined)
    remove(rows, selected).catch((cause: unknown) => fail({ error: cause, retry: removeSelected }))
  }
  const categories = useMemo(
    () => [...new Set(templates?.flatMap(({ category }) => category ?? []))].sort(),
    [templates],
  )
  useListKeys(rows, texts.templateKeys)
  useTemplateKeys({ may, selected, mode, setMode, onRemove: removeSelected })
  return (
    <>
      <Bar title={texts.templates} crumb={{ path: PATH, title: shellTexts.documents }} />
      <main id="main" ref={main} tabIndex={-1} class={selected || mode === 'new' ? 'panes detail' : 'panes'}>
        <TemplateList
          {...{ templates, selected, may, error }}
          onRetry={() => void refetch()}
          onCreate={() => setMode('new')}
        />
        <section class="pane" aria-label={texts.templateDetail}>
          {failed && <Failure title={texts.templateNotRemoved} error={failed.error} onRetry={failed.retry} />}
          {mode === 'new' && (
            <NewTemplate
              categories={categories}
              onClose={() => setMode(undefined)}
              onMade={(id) => {
                selectTemplate(id)
                void readTemplatesAgain()
              }}
            />
          )}
          {mode !== 'new' && selected && (
            <TemplatePane
              key={selected}
              {...{ may, categories }}
              id={selected}
              isEditing={mode === 'edit'}
              onEdit={(isEditing) => setMode(isEditing ? 'edit' : undefined)}
              onRemove={removeSelected}
              onUse={product ? () => setMode('use') : undefined}
            />
          )}
          {mode !== 'new' && !selected && <Empty icon="file" title={texts.noTemplate} hint={texts.noTemplateHint} />}
        </section>
        {mode === 'use' && product && (
          <NewDocumentDialog
            product={product}
            template={selected}
            onClose={() => setMode(undefined)}
            onCreate={(key) => goTo(pathOf({ product, q: '', document: key }))}
          />
        )}
      </main>
    </>
  )
}

/** The templates as the rows of the list. */
const toRows = (templates: readonly ListedTemplate[] | undefined, selected: number | undefined): RowList => ({
  keys: (templates ?? []).map(({ id }) => String(id)),
  selected: selected ? String(selected) : undefined,
  detail: DETAIL_TITLE,
  select: (key) => selectTemplate(key ? Number(key) : undefined),
})

/** The row goes at once, and the next row gets the focus. */
async function remove(rows: RowList, id: number): Promise<void> {
  leaveRow(rows, String(id))
  listWithoutTemplate(id)
  try {
    await sendTemplateRemoval(id)
    showToast(texts.templateWasRemoved, () => sendTemplateRestore(id).then(readTemplatesAgain))
  } finally {
    void readTemplatesAgain()
  }
}

interface TemplateKeysProps {
  may: boolean
  selected: number | undefined
  mode: Mode | undefined
  setMode: (mode: Mode) => void
  onRemove: () => void
}

function useTemplateKeys({ may, selected, mode, setMode, onRemove }: TemplateKeysProps): void {
  useKeys(
    useMemo(() => {
      if (!may || mode) return []
      const create = { keys: 'c', label: texts.templateKeys.create, run: () => setMode('new') }
      if (!selected) return [create]
      return [
        create,
        { keys: 'e', label: texts.templateKeys.edit, run: () => setMode('edit') },
        { keys: 'u', label: texts.useTemplate, run: () => setMode('use') },
        { keys: 'Backspace', label: texts.templateKeys.remove, run: onRemove },
      ]
    }, [may, selected, mode, onRemove]),
  )
}
