import { useMemo, useState } from 'preact/hooks'
import { mayChange } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { leaveRow, useListKeys } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { BASE, goTo } from '../../state/place'
import { texts as shellTexts } from '../../texts/texts'
import type { ScreenProps } from '../screens'
import { removeWithUndo } from './remove-segment'
import { EXPORT_ADDRESS, type ListedSegment, useSegmentList } from './requests'
import { SegmentTable } from './segment-table'
import { texts } from './texts/texts'

export default function SegmentList({ me, main }: ScreenProps) {
  const may = mayChange(me, 'segments')
  const { data: segments, error, refetch } = useSegmentList()
  const [focused, focus] = useState<string>()
  const [failed, fail] = useState<{ title: string; error: unknown; onRetry: () => void }>()
  const list = {
    keys: (segments ?? []).map(({ id }) => String(id)),
    selected: focused,
    select: focus,
    detail: '',
  }
  const remove = (segment: ListedSegment) => {
    fail(undefined)
    leaveRow(list, String(segment.id))
    if (list.keys.length === 1) main.current?.focus()
    void removeWithUndo(segment, fail)
  }
  useListKeys(list, texts.keys)
  useKeys(
    useMemo(() => {
      const current = segments?.find(({ id }) => String(id) === focused)
      if (!may) return []
      return [
        { keys: 'c', label: texts.keys.create, run: () => goTo('/segments/new') },
        ...(current ? [{ keys: 'Backspace', label: texts.keys.remove, run: () => remove(current) }] : []),
      ]
    }, [may, focused, segments]),
  )
  return (
    <>
      <Bar title={texts.title}>
        <a class="btn small ghost" href={EXPORT_ADDRESS} download>
          <Icon name="download" />
          {texts.export}
        </a>
        {may && (
          <a class="btn small primary" href={`${BASE}/segments/new`}>
            <Icon name="plus" />
            {texts.create}
          </a>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="center stack loose">
          {failed && <Failure {...failed} />}
          {error && !segments && <Failure title={texts.listFailed} error={error} onRetry={() => void refetch()} />}
          {!segments && !error && <Skeleton lines={6} />}
          {segments?.length === 0 && (
            <Empty icon="segment" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
              {may && (
                <NextSteps
                  steps={[
                    { text: shellTexts.next.segment, path: '/segments/new' },
                    { text: shellTexts.next.importPeople, path: '/imports/new?kind=people' },
                  ]}
                />
              )}
            </Empty>
          )}
          {segments && segments.length > 0 && (
            <SegmentTable segments={segments} onFocus={focus} onRemove={may ? remove : undefined} />
          )}
        </div>
      </main>
    </>
  )
}
