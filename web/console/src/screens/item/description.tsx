import { useState } from 'preact/hooks'
import type { Conflict } from '../../api/change'
import { Icon } from '../../parts/icon'
import { texts as shellTexts } from '../../texts/texts'
import { DescriptionField } from './description-field'
import { ItemConflict } from './notices'
import type { ItemPlace, WorkItem } from './requests'
import { texts } from './texts/texts'

interface DescriptionProps {
  place: ItemPlace
  item: WorkItem
  may: boolean
  save: (change: Partial<WorkItem>, base?: WorkItem) => void
}

/** The description, and its editor. */
export function Description({ place, item, may, save }: DescriptionProps) {
  const [base, setBase] = useState<WorkItem>()
  const [text, setText] = useState('')
  /** Another text of somebody else begins the editor anew. */
  const [begun, setBegun] = useState(0)
  const edit = () => {
    setText(item.description)
    setBase(item)
  }
  const isOvertaken = base && item.description !== base.description && item.description !== text
  const conflict: Conflict<WorkItem> = {
    ...{ fields: ['description'], mine: { description: text }, theirs: item },
    keepMine: () => setBase(item),
    takeTheirs() {
      edit()
      setBegun(begun + 1)
    },
  }
  if (base)
    return (
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault()
          if (text !== base.description) save({ description: text }, base)
          setBase(undefined)
        }}
      >
        {isOvertaken && <ItemConflict {...{ place, conflict }} />}
        <DescriptionField key={begun} {...{ text, setText }} />
        <div class="row">
          <button class="btn primary small" type="submit">
            {texts.saveDescription}
          </button>
          <button class="btn ghost small" type="button" onClick={() => setBase(undefined)}>
            {shellTexts.cancel}
          </button>
        </div>
      </form>
    )
  return (
    <section class="stack tight" aria-label={texts.description}>
      {item.description ? (
        // The service has sanitized the HTML, and the policy of the page allows no script beside the files of the console.
        <div class="prose md" dangerouslySetInnerHTML={{ __html: item.description }} />
      ) : (
        <p class="muted">{texts.noDescription}</p>
      )}
      {may && (
        <button class="btn ghost small fit" type="button" onClick={edit}>
          <Icon name="pencil" />
          {texts.editDescription}
        </button>
      )}
    </section>
  )
}
