import { useProducts } from '../../api/products'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { texts as shellTexts } from '../../texts/texts'
import { Direction } from '../webhooks/direction'
import { DETAIL_TITLE, pathOf, readShown } from './place'
import type { Hook } from './requests'
import { texts } from './texts/texts'

interface ListPaneProps {
  hooks: readonly Hook[] | undefined
  error: unknown
  isEditor: boolean
  onRetry: () => void
  onCreate: () => void
}

export const ListPane = ({ hooks, error, isEditor, onRetry, onCreate }: ListPaneProps) => (
  <section class="list" aria-label={texts.list}>
    <div class="tools only-narrow">
      <Direction current="incoming" class="only-narrow" />
    </div>
    {error && !hooks && (
      <div class="pad">
        <Failure title={texts.listFailed} error={error} onRetry={onRetry} />
      </div>
    )}
    {!hooks && !error && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {hooks?.length === 0 && (
      <Empty icon="webhook" title={texts.empty} hint={isEditor ? texts.emptyHint : texts.readOnlyHint}>
        {isEditor && <NextSteps steps={[{ text: shellTexts.next.incoming, act: onCreate }]} />}
      </Empty>
    )}
    <ul>
      {hooks?.map((hook) => (
        <Row key={hook.id} hook={hook} />
      ))}
    </ul>
  </section>
)

function Row({ hook: { id, provider, action, product } }: { hook: Hook }) {
  const products = useProducts()
  const isCurrent = readShown().hook === id
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ hook: id })}
            data-row={id}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {texts.rowName(texts.providers[provider], id)}
          </a>
        </h2>
        <p class="sm muted truncate">
          {texts.actions[action]} · {products.find(({ externalKey }) => externalKey === product)?.name ?? product}
        </p>
      </div>
    </li>
  )
}
