import { TextForm } from '../../parts/text-form'
import { DETAIL_TITLE } from './place'
import type { Entry } from './requests'
import { texts } from './texts/texts'

interface EntryFormProps {
  entry: Entry
  /** `base` is the entry as it was when the person began. */
  onSave: (change: Partial<Entry>, base: Entry) => void
  onClose: () => void
}

export const EntryForm = ({ entry, onSave, onClose }: EntryFormProps) => (
  <TextForm
    record={entry}
    id={DETAIL_TITLE}
    heading={texts.editTitle}
    texts={{
      ...{ title: texts.fields.title, content: texts.fields.content },
      ...{ hint: texts.contentHint, preview: texts.typedPreview, save: texts.save },
    }}
    onSave={onSave}
    onClose={onClose}
  >
    {entry.status === 'published' && <p class="sm muted">{texts.seenAtOnce}</p>}
  </TextForm>
)
