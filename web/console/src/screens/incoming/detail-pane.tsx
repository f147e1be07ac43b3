import { GroundworkError } from 'groundwork-client'
import { useChange, type Versioned } from '../../api/change'
import { type Me, mayChange } from '../../api/me'
import { useProducts } from '../../api/products'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { HookActions } from './hook-actions'
import { DETAIL_TITLE, pathOf } from './place'
import { Receipts } from './receipts'
import { changeOf, type Hook, type NewHook, useHook } from './requests'
import { TestPanel } from './test-panel'
import { texts } from './texts/texts'

interface DetailPaneProps {
  me: Me
  id: number
  onMade: (made: NewHook) => void
  onRemove: (hook: Hook) => void
}

export function DetailPane({ me, id, onMade, onRemove }: DetailPaneProps) {
  const { data, error, refetch } = useHook(id)
  const isMissing = error instanceof GroundworkError && error.status === 404
  return (
    <div class="pane-body stack loose">
      {isMissing && <Empty icon="info" title={texts.missing} hint={texts.missingHint} />}
      {error && !isMissing && !data && (
        <Failure title={texts.loadFailed} error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={6} />}
      {data && !isMissing && <Detail {...{ me, onMade, onRemove }} current={data} />}
    </div>
  )
}

function Detail({ me, current, onMade, onRemove }: Omit<DetailPaneProps, 'id'> & { current: Versioned<Hook> }) {
  const { shown, save, conflict, failure } = useChange<Hook>({ current, ...changeOf(current.record.id) })
  const hook = shown ?? current.record
  return (
    <>
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          name={(field) => texts.fields[field] ?? field}
          show={(_, value) => showValue(value)}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      <header class="stack tight">
        <div class="row wrap">
          <a class="btn ghost icon small back" href={BASE + pathOf({})} aria-label={texts.backToList}>
            <Icon name="back" />
          </a>
          <h2 id={DETAIL_TITLE} tabIndex={-1}>
            {texts.providers[hook.provider]}
          </h2>
          <span class="tag">{texts.actions[hook.action]}</span>
          {mayChange(me, 'webhooks') && (
            <HookActions {...{ me, hook, onMade }} onChange={save} onRemove={() => onRemove(hook)} />
          )}
        </div>
      </header>
      <Facts hook={hook} />
      <TestPanel hook={hook} />
      <Receipts hookId={hook.id} isEditor={mayChange(me, 'webhooks')} />
    </>
  )
}

/** How a conflict shows a value: a member a line. */
const showValue = (value: Hook[keyof Hook]): string =>
  value !== null && typeof value === 'object'
    ? Object.entries(value)
        .map(([name, part]) => (Array.isArray(value) ? String(part) : `${name} = ${part}`))
        .join('\n')
    : String(value ?? '')

function Facts({ hook }: { hook: Hook }) {
  const products = useProducts()
  const { product, url, mapping, target, exceptAuthors } = hook
  const pairs = Object.entries(mapping)
  const facts = [
    [texts.url, url],
    [texts.product, products.find(({ externalKey }) => externalKey === product)?.name ?? product],
    [texts.type, target.type && texts.types[target.type]],
    [texts.kpi, target.kpi],
    [texts.exceptAuthors, exceptAuthors.join(', ')],
  ].filter((fact) => fact[1])
  return (
    <>
      <dl class="hook-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section class="card" aria-labelledby="hook-mapping-title">
        <header>
          <h3 id="hook-mapping-title">{texts.mapping}</h3>
        </header>
        {pairs.length === 0 && <p class="body muted">{texts.defaultMapping}</p>}
        {pairs.length > 0 && (
          <table class="table stack-table">
            <thead>
              <tr>
                <th scope="col">{texts.field}</th>
                <th scope="col">{texts.source}</th>
              </tr>
            </thead>
            <tbody>
              {pairs.map(([field, from]) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td data-th={texts.source}>
                    <code>{from}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  )
}
