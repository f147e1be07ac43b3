import { GroundworkError } from 'groundwork-client'
import { mayChange } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import type { ScreenProps } from '../screens'
import { NewSegment } from './new-segment'
import { useSegment } from './requests'
import { StoredSegment } from './stored-segment'
import { CRUMB, texts } from './texts/texts'

export default function SegmentScreen(props: ScreenProps) {
  const [id = 'new'] = props.params
  if (id !== 'new') return <LoadedSegment key={id} {...props} segmentId={Number(id)} />
  if (mayChange(props.me, 'segments')) return <NewSegment {...props} />
  return (
    <>
      <Bar title={texts.create} crumb={CRUMB} />
      <main id="main" ref={props.main} tabIndex={-1} class="padded">
        <Empty icon="lock" title={texts.create} hint={texts.createNotAllowed} />
      </main>
    </>
  )
}

function LoadedSegment({ segmentId, ...props }: ScreenProps & { segmentId: number }) {
  const { data, error, refetch } = useSegment(segmentId)
  const isMissing = !segmentId || (error instanceof GroundworkError && error.status === 404)
  if (data && !isMissing) return <StoredSegment {...props} current={data} />
  return (
    <>
      <Bar title={isMissing ? texts.missing : texts.title} crumb={CRUMB} />
      <main id="main" ref={props.main} tabIndex={-1} class="padded">
        {isMissing && <Empty icon="segment" title={texts.missing} hint={texts.missingHint} />}
        {error && !isMissing && <Failure title={texts.loadFailed} error={error} onRetry={() => void refetch()} />}
        {!error && !isMissing && <Skeleton lines={6} />}
      </main>
    </>
  )
}
