import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { texts as shellTexts } from '../../texts/texts'
import { DETAIL_TITLE, pathOfTemplate } from './place'
import { Tabs } from './tabs'
import type { ListedTemplate } from './template-requests'
import { texts } from './texts/texts'

interface TemplateListProps {
  templates: readonly ListedTemplate[] | undefined
  selected: number | undefined
  may: boolean
  error: unknown
  onRetry: () => void
  onCreate: () => void
}

export const TemplateList = ({ templates, selected, may, error, onRetry, onCreate }: TemplateListProps) => (
  <section class="list" aria-label={texts.templateList}>
    <div class="tools">
      <Tabs current="templates" />
      {may && (
        <button class={selected ? 'btn small push' : 'btn small primary push'} type="button" onClick={onCreate}>
          <Icon name="plus" />
          {texts.newTemplate}
        </button>
      )}
    </div>
    <p class="sr" role="status">
      {templates && texts.foundTemplates(templates.length)}
    </p>
    {error && !templates && (
      <div class="pad">
        <Failure title={texts.templatesFailed} error={error} onRetry={onRetry} />
      </div>
    )}
    {!templates && !error && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {templates?.length === 0 && (
      <Empty
        icon="file"
        title={texts.emptyTemplates}
        hint={may ? texts.emptyTemplatesHint : texts.emptyTemplatesReadOnly}
      >
        {may && <NextSteps steps={[{ text: shellTexts.next.template, act: onCreate }]} />}
      </Empty>
    )}
    <ul>
      {templates?.map((template) => (
        <Row key={template.id} template={template} isCurrent={template.id === selected} />
      ))}
    </ul>
  </section>
)

const Row = ({ template, isCurrent }: { template: ListedTemplate; isCurrent: boolean }) => (
  <li class={isCurrent ? 'list-row current' : 'list-row'}>
    <div class="grow">
      <h2 class="truncate">
        <a
          class="stretch"
          href={BASE + pathOfTemplate(template.id)}
          data-row={String(template.id)}
          aria-current={isCurrent ? 'true' : undefined}
          onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
        >
          {template.title}
        </a>
      </h2>
      <p class="row sm muted facts">
        {template.category && <span class="tag truncate">{template.category}</span>}
        <span class="push">{texts.variableCount(template.variables.length)}</span>
      </p>
    </div>
  </li>
)
