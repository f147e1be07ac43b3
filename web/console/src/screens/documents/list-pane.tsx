import { useEffect, useRef, useState } from 'preact/hooks'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatAge } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import { DETAIL_TITLE, go, pathOf, TEMPLATE_PATH, type View } from './place'
import { type DocumentList, exportPathOf, type ListedDocument } from './requests'
import { Tabs } from './tabs'
import { useTemplateList } from './template-requests'
import { texts } from './texts/texts'

interface ListPaneProps {
  view: View
  list: DocumentList | undefined
  may: boolean
  error: unknown
  onRetry: () => void
  onMore: () => void
  onCreate: () => void
}

export function ListPane({ view, list, may, error, onRetry, onMore, onCreate }: ListPaneProps) {
  const { data: templates } = useTemplateList()
  const nameOf = (id: number | null) => templates?.find((template) => template.id === id)?.title
  return (
    <section class="list" aria-label={texts.list}>
      <Tools {...{ view, may, onCreate }} />
      <p class="sr" role="status">
        {list && texts.found(list.documents.length)}
      </p>
      {error && !list && (
        <div class="pad">
          <Failure title={texts.listFailed} error={error} onRetry={onRetry} />
        </div>
      )}
      {!list && !error && (
        <div class="pad">
          <Skeleton lines={6} />
        </div>
      )}
      {list?.documents.length === 0 && <NoDocuments {...{ view, may, onCreate }} />}
      <ul>
        {list?.documents.map((document) => (
          <Row key={document.externalKey} document={document} view={view} template={nameOf(document.template)} />
        ))}
      </ul>
      <div class="list-end row">
        {list?.hasMore && (
          <button class="btn small" type="button" onClick={onMore}>
            {shellTexts.showMore}
          </button>
        )}
        {list && list.documents.length > 0 && (
          <a class="btn ghost small push" href={exportPathOf(view.product)} download>
            <Icon name="download" />
            {texts.export}
          </a>
        )}
      </div>
    </section>
  )
}

const NoDocuments = ({ view, may, onCreate }: Pick<ListPaneProps, 'view' | 'may' | 'onCreate'>) =>
  view.q ? (
    <Empty icon="file" title={texts.emptyFiltered} hint={texts.emptyFilteredHint}>
      <button class="btn" type="button" onClick={() => go({ ...view, q: '' })}>
        {texts.clear}
      </button>
    </Empty>
  ) : (
    <Empty icon="file" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
      {may && (
        <NextSteps
          steps={[
            { text: shellTexts.next.document, act: onCreate },
            { text: shellTexts.next.templates, path: TEMPLATE_PATH },
          ]}
        />
      )}
    </Empty>
  )

const Tools = ({ view, may, onCreate }: Pick<ListPaneProps, 'view' | 'may' | 'onCreate'>) => (
  <div class="tools">
    <Tabs current="documents" />
    {may && (
      <button class={view.document ? 'btn small push' : 'btn small primary push'} type="button" onClick={onCreate}>
        <Icon name="plus" />
        {texts.create}
      </button>
    )}
    <SearchField view={view} />
  </div>
)

const PAUSE_MS = 250

function SearchField({ view }: { view: View }) {
  const [text, setText] = useState(view.q)
  const timer = useRef<number>(undefined)
  useEffect(() => setText(view.q), [view.q])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span class="with-icon find-rows">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        maxLength={200}
        aria-label={texts.search}
        placeholder={texts.search}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value)
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => go({ ...view, q: value.trim() }), PAUSE_MS)
        }}
      />
    </span>
  )
}

interface RowProps {
  document: ListedDocument
  view: View
  /** Title of the template. */
  template: string | undefined
}

function Row({ document: { externalKey: key, title, updatedAt }, view, template }: RowProps) {
  const isCurrent = view.document === key
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ ...view, document: key })}
            data-row={key}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {title}
          </a>
        </h2>
        <p class="row sm muted facts">
          <span class="key">{key}</span>
          {template && <span class="tag truncate">{template}</span>}
          <time class="push" dateTime={updatedAt}>
            {formatAge(updatedAt)}
          </time>
        </p>
      </div>
    </li>
  )
}
