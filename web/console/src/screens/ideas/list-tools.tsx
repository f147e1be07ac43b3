import { useMemo } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { useKeys } from '../../state/keys'
import { chosenProduct } from '../../state/product'
import { readFilters } from './filters'
import { exportPathOf } from './requests'
import { texts } from './texts/texts'

interface ListToolsProps {
  mayCreate: boolean
  onCreate: () => void
}

/** The file of the list, and a new idea. */
export function ListTools({ mayCreate, onCreate }: ListToolsProps) {
  useKeys(useMemo(() => (mayCreate ? [{ keys: 'c', label: texts.newIdea, run: onCreate }] : []), [mayCreate, onCreate]))
  return (
    <>
      <a
        class="btn ghost small only-wide"
        href={exportPathOf({ ...readFilters(), product: chosenProduct.value })}
        download
        title={texts.exportHint}
      >
        <Icon name="download" />
        {texts.export}
      </a>
      {mayCreate && (
        <button class="btn primary small" type="button" onClick={onCreate}>
          <Icon name="plus" />
          {texts.newIdea}
        </button>
      )}
    </>
  )
}
