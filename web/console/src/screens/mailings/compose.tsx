import { GroundworkError } from 'groundwork-client'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Me, maySee } from '../../api/me'
import { Empty } from '../../parts/empty'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { useKeys } from '../../state/keys'
import { BASE, place } from '../../state/place'
import type { ScreenProps } from '../screens'
import { ComposeActions } from './compose-actions'
import { ComposeForm } from './compose-form'
import { changeDraft, draft as draftState, hasText } from './draft'
import { PATH } from './place'
import { PreviewPane } from './preview-pane'
import { type MailPreview, type PreviewInput, usePreview, useReaders, useSegments } from './requests'
import { ReviewDialog, TestDialog } from './send-dialogs'
import { texts } from './texts/texts'
import { useSettled } from './use-settled'
import { momentOf } from './when-field'

const crumb = { path: PATH, title: texts.title }

export default function ComposeScreen({ me, main }: ScreenProps) {
  const may = maySee(me, 'mail:write')
  const segments = useSegments()
  const asked = Number(place.value.query.get('segment')) || undefined
  useEffect(() => {
    if (asked !== undefined) changeDraft({ segmentId: asked })
  }, [asked])
  if (may && segments && segments.length > 0) return <Compose me={me} main={main} segments={segments} />
  return (
    <>
      <Bar title={texts.composeTitle} crumb={crumb} />
      <main id="main" ref={main} tabIndex={-1} class="padded">
        {!may && <Empty icon="lock" title={texts.composeTitle} hint={texts.composeNotAllowed} />}
        {may && !segments && <Skeleton lines={6} />}
        {may && segments && (
          <Empty icon="audience" title={texts.noSegments} hint={texts.noSegmentsHint}>
            <a class="btn" href={`${BASE}/segments`}>
              {texts.goToSegments}
            </a>
          </Empty>
        )}
      </main>
    </>
  )
}

interface ComposeProps extends Pick<ScreenProps, 'main'> {
  me: Me
  segments: NonNullable<ReturnType<typeof useSegments>>
}

/** The message of an invalid field, from the answer to a preview. */
const problemOf = (error: unknown, path: string): string | undefined =>
  error instanceof GroundworkError ? error.issues.find((issue) => issue.path === path)?.message : undefined

function Compose({ me, main, segments }: ComposeProps) {
  const draft = draftState.value
  const [reader, choose] = useState<number>()
  const segment = segments.find(({ id }) => id === draft.segmentId)
  const segmentId = segment?.id
  const readers = useReaders(segmentId)
  const subject = draft.subject.trim()
  const html = hasText(draft.html) ? draft.html : ''
  const input = useSettled<PreviewInput | undefined>(
    segmentId === undefined ? undefined : { segmentId, subject, html, userId: reader },
  )
  const { data, error, refetch } = usePreview(input)
  const attributes = useMemo(
    () => [...new Set(readers.flatMap((person) => Object.keys(person.attributes)))].sort(),
    [readers],
  )
  const text = subject + html
  const usesName = { firstName: text.includes('{{firstName}}'), lastName: text.includes('{{lastName}}') }
  const known = useRef<{ segmentId: number; preview: MailPreview } | undefined>(undefined)
  if (data && input && input.segmentId === segmentId) known.current = { segmentId, preview: data }
  const preview = known.current?.segmentId === segmentId ? known.current?.preview : undefined
  const problems = { subject: problemOf(error, '/subject'), html: problemOf(error, '/html') }
  const isWritten = subject !== '' && html !== ''
  const isLater = draft.when === 'later'
  const scheduledAt = isLater ? momentOf(draft) : undefined
  const isReady = isWritten && !error && (preview?.recipients ?? 0) > 0 && (!isLater || scheduledAt !== undefined)
  const [opened, open] = useState<'test' | 'review'>()
  const close = () => open(undefined)
  useKeys(
    useMemo(
      () => (isReady ? [{ keys: 'mod+enter', label: texts.keys.send, run: () => open('review') }] : []),
      [isReady],
    ),
  )
  const retry = () => void refetch()
  return (
    <>
      <Bar title={texts.composeTitle} crumb={crumb}>
        <ComposeActions
          {...{ draft, isReady }}
          isWritten={isWritten && !error}
          onTest={() => open('test')}
          onReview={() => open('review')}
        />
      </Bar>
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <div class="mail-compose">
          <ComposeForm
            {...{ draft, segments, segmentId, preview, attributes, problems, error }}
            onSegment={(id) => {
              choose(undefined)
              changeDraft({ segmentId: id })
            }}
            onRetry={retry}
          />
          <PreviewPane
            {...{ preview, readers, reader, usesName, error }}
            isWritten={segmentId !== undefined && isWritten}
            onChoose={choose}
            onRetry={retry}
          />
        </div>
      </main>
      {opened === 'test' && <TestDialog draft={draft} email={me.user?.email ?? ''} onClose={close} />}
      {opened === 'review' && segment && preview && (
        <ReviewDialog
          draft={{ ...draft, segmentId: segment.id }}
          segmentName={segment.name}
          {...{ preview, scheduledAt }}
          onClose={close}
        />
      )}
    </>
  )
}
