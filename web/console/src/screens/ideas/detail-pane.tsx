import { GroundworkError } from 'groundwork-client'
import { useEffect } from 'preact/hooks'
import type { Versioned } from '../../api/change'
import type { Me } from '../../api/me'
import { useQuery } from '../../api/queries'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import { select } from './filters'
import { IdeaDetail } from './idea-detail'
import type { IdeaList } from './idea-list'
import { type Idea, readIdea } from './requests'
import { texts } from './texts/texts'

interface DetailPaneProps {
  me: Me
  list: IdeaList
  selected: string | undefined
}

export function DetailPane({ me, list, selected }: DetailPaneProps) {
  const { data, error, refetch } = useQuery<Versioned<Idea>>({
    queryKey: ['feedback', selected],
    queryFn: () => readIdea(selected ?? ''),
    enabled: selected !== undefined,
  })
  const finalKey = data?.record.external_key
  // A merged idea leads to the idea that it was merged into.
  useEffect(() => {
    if (!finalKey || !selected || finalKey === selected) return
    select(finalKey, { replaces: true })
    showToast(texts.wasMerged(selected, finalKey))
  }, [finalKey, selected])
  const isMissing = error instanceof GroundworkError && error.status === 404
  return (
    <section class="pane" aria-label={texts.detail}>
      <div class="narrow stack loose">
        {!selected && <Empty icon="inbox" title={texts.none} hint={texts.noneHint} />}
        {isMissing && <Empty icon="info" title={texts.missing} hint={texts.missingHint} />}
        {error && !isMissing && !data && (
          <Failure title={texts.loadFailed} error={error} onRetry={() => void refetch()} />
        )}
        {selected && !data && !error && <Skeleton lines={6} />}
        {data && !isMissing && <IdeaDetail me={me} list={list} current={data} />}
      </div>
    </section>
  )
}
