import { useMemo } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { type Me, mayChange, mayFollowEvents } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { focusDetail } from '../../parts/list-keys'
import { Loaded } from '../../parts/loaded'
import { Prose } from '../../parts/prose'
import { TextForm } from '../../parts/text-form'
import { useKeys } from '../../state/keys'
import { BASE } from '../../state/place'
import { formatMoment } from '../../texts/formats'
import { Files } from './files'
import { History } from './history'
import { DETAIL_TITLE, pathOf, pathOfTemplate, type View } from './place'
import { changeOf, type Document, type DocumentPlace, useDocument } from './requests'
import { useTemplateList } from './template-requests'
import { texts } from './texts/texts'

interface PaneProps {
  me: Me
  view: View
  place: DocumentPlace
  may: boolean
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
  onRemove: () => void
}

export const DetailPane = (props: PaneProps) => (
  <Loaded query={useDocument(props.place)} failed={texts.loadFailed}>
    {(current) => <Detail {...props} current={current} />}
  </Loaded>
)

function Detail({
  me,
  view,
  place,
  may,
  isEditing,
  onEdit,
  onRemove,
  current,
}: PaneProps & { current: Versioned<Document> }) {
  const { shown, save, conflict, failure } = useChange<Document>({ current, ...changeOf(place) })
  const document = shown ?? current.record
  const closeForm = () => {
    onEdit(false)
    requestAnimationFrame(() => focusDetail(DETAIL_TITLE))
  }
  useKeys(
    useMemo(
      () =>
        may && !isEditing
          ? [
              { keys: 'e', label: texts.keys.edit, run: () => onEdit(true) },
              { keys: 'Backspace', label: texts.keys.remove, run: onRemove },
            ]
          : [],
      [may, isEditing, place.key, onEdit, onRemove],
    ),
  )
  return (
    <div class="wide stack loose">
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          name={(field) => texts.fields[field as keyof typeof texts.fields] ?? field}
          show={(_, value) => String(value)}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      <Heading {...{ document, view }} {...(may && !isEditing && { onEdit: () => onEdit(true), onRemove })} />
      {isEditing ? (
        <TextForm
          record={document}
          id={DETAIL_TITLE}
          heading={texts.editTitle}
          texts={{
            ...{ title: texts.fields.title, content: texts.fields.content },
            ...{ hint: texts.contentHint, preview: texts.preview, save: texts.save },
          }}
          onSave={save}
          onClose={closeForm}
        />
      ) : (
        <article class="stack" aria-labelledby={DETAIL_TITLE}>
          <h2 id={DETAIL_TITLE} tabIndex={-1}>
            {document.title}
          </h2>
          {document.content ? <Prose html={document.content} /> : <p class="muted">{texts.noText}</p>}
        </article>
      )}
      <Files place={place} may={may && mayChange(me, 'files')} />
      {mayFollowEvents(me) && <History place={place} may={may && !isEditing} onUse={save} />}
    </div>
  )
}

interface HeadingProps {
  document: Document
  view: View
  onEdit?: () => void
  onRemove?: () => void
}

const Heading = ({ document, view, onEdit, onRemove }: HeadingProps) => (
  <header class="stack tight">
    <div class="row wrap">
      <a
        class="btn ghost icon small back"
        href={BASE + pathOf({ ...view, document: undefined })}
        aria-label={texts.backToList}
      >
        <Icon name="back" />
      </a>
      <span class="key">{document.externalKey}</span>
      <div class="row wrap push">
        {onRemove && (
          <button class="btn ghost small danger" type="button" onClick={onRemove}>
            <Icon name="remove" />
            {texts.remove}
          </button>
        )}
        {onEdit && (
          <button class="btn small primary" type="button" onClick={onEdit}>
            <Icon name="pencil" />
            {texts.edit}
          </button>
        )}
      </div>
    </div>
    <p class="sm muted">
      {texts.updatedAt(formatMoment(document.updatedAt))}
      <Origin template={document.template} />
    </p>
  </header>
)

function Origin({ template }: Pick<Document, 'template'>) {
  const found = useTemplateList().data?.find(({ id }) => id === template)
  if (!found) return null
  return (
    <>
      {' · '}
      <a href={BASE + pathOfTemplate(found.id)}>{texts.fromTemplate(found.title)}</a>
    </>
  )
}
