import { useMemo, useState } from 'preact/hooks'
import { maySee } from '../../api/me'
import { useProductAt } from '../../api/product-at'
import { useProducts } from '../../api/products'
import { Banner } from '../../parts/banner'
import { Empty } from '../../parts/empty'
import { Loaded } from '../../parts/loaded'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { chosenProduct } from '../../state/product'
import { texts as shared } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { KINDS, type Kind } from './kinds'
import { type Period, pathOf, readKind, readPeriod } from './place'
import { useNewestKind, useRemovers } from './removals'
import { RemovedTable } from './removed-table'
import { MAX_READ, type RemovedList, useRemoved } from './requests'
import { texts } from './texts/texts'
import { Tools } from './tools'
import { mayRestore, useRestore } from './use-restore'

export default function RemovedScreen(props: ScreenProps) {
  const { me, main } = props
  const kinds = KINDS.filter(({ area }) => maySee(me, `${area}:read`))
  const asked = readKind(kinds)
  const newest = useNewestKind(me, kinds, asked !== undefined)
  const kind = asked ?? newest
  return (
    <>
      <Bar title={texts.title} />
      <main id="main" ref={main} tabIndex={-1} class="padded">
        {!kinds.length && <Empty icon="lock" title={texts.notAllowed} hint="" />}
        {kinds.length > 0 && !kind && <Skeleton lines={6} />}
        {kind && <Kinds {...props} kinds={kinds} kind={kind} />}
      </main>
    </>
  )
}

function Kinds({ kinds, kind, ...props }: ScreenProps & { kinds: readonly Kind[]; kind: Kind }) {
  const period = readPeriod()
  const products = useProducts()
  const first = useProductAt(pathOf(kind.id, period))
  const product = kind.product === 'path' ? first : kind.product === 'filter' ? chosenProduct.value : null
  return (
    <div class="stack loose">
      <p class="muted">{texts.hint}</p>
      <Tools {...{ kinds, kind, product, products, period }} />
      <List key={`${kind.id} ${product} ${period}`} {...props} {...{ kind, product, period }} />
    </div>
  )
}

interface ListProps extends ScreenProps {
  kind: Kind
  product: string | null | undefined
  period: Period
}

const SHOWN = 50

function List({ me, main, kind, product, period }: ListProps) {
  const [limit, setLimit] = useState(SHOWN)
  const query = useRemoved(kind, product, period)
  const { isRestored, failureOf, restore } = useRestore({ me, main: main.current, kind, product })
  const may = mayRestore(me, kind)
  const nameRemover = useRemovers(me, kind)
  useRowKeys(may)
  return (
    <Loaded<RemovedList> query={query} failed={texts.listFailed}>
      {({ records, isCut }) => {
        const left = records.filter((record) => !isRestored(record))
        return (
          <>
            {isCut && <Banner tone="amber" icon="info" title={texts.cut(MAX_READ)} />}
            <p class="sm muted" role="status">
              {left.length > 0 && texts.found(left.length)}
            </p>
            {left.length === 0 && (
              <Empty icon="remove" title={texts.empty(texts.kinds[kind.id])} hint={texts.emptyHints[period]} />
            )}
            {left.length > 0 && (
              <RemovedTable
                {...{ kind, may, failureOf, nameRemover }}
                records={left.slice(0, limit)}
                onRestore={restore}
              />
            )}
            {!may && left.length > 0 && <p class="sm muted">{texts.readerHint}</p>}
            {left.length > limit && (
              <button class="btn fit" type="button" onClick={() => setLimit(limit + SHOWN)}>
                {shared.showMore}
              </button>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

const listButtons = () => [...document.querySelectorAll<HTMLElement>('[data-restore]')]

function moveFocus(step: number): void {
  const buttons = listButtons()
  const at = buttons.findIndex((button) => button.matches(':focus'))
  const next = at < 0 ? 0 : Math.min(buttons.length - 1, Math.max(0, at + step))
  buttons[next]?.focus()
}

/** J and K move through the rows, and Enter restores the row with the focus. */
function useRowKeys(may: boolean): void {
  useKeys(
    useMemo(
      () =>
        may
          ? [
              { keys: 'j', label: texts.keys.next, run: () => moveFocus(1) },
              { keys: 'k', label: texts.keys.previous, run: () => moveFocus(-1) },
            ]
          : [],
      [may],
    ),
  )
}
