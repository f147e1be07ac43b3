import type { Operations } from 'groundwork-client'
import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { unmergeIdea } from './acts'
import type { IdeaList } from './idea-list'
import type { Idea } from './requests'
import { texts } from './texts/texts'
import { focusDetail } from './use-list-keys'

export type MergedIdea = Operations['listMergedFeedbackItems']['data'][number]

interface MergedProps {
  idea: Idea
  list: IdeaList
  mayChange: boolean
}

/** The ideas that were merged into the idea, each with the way back. */
export function Merged({ idea: { external_key: key }, list, mayChange }: MergedProps) {
  const { data: merged } = useQuery<MergedIdea[]>({
    queryKey: ['feedback', key, 'merged'],
    queryFn: () => client.listMergedFeedbackItems({ feedback_external_key: key }),
  })
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<unknown>()
  async function unmerge(source: string): Promise<void> {
    setError(undefined)
    setBusy(source)
    try {
      await unmergeIdea(list, source, key)
      focusDetail()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(undefined)
    }
  }
  if (!merged?.length) return null
  return (
    <section class="stack tight" aria-labelledby="merged-ideas">
      <h3 id="merged-ideas">{texts.mergedIdeas}</h3>
      {error !== undefined && <Failure title={texts.notUnmerged} error={error} />}
      <ul class="stack tight">
        {merged.map(({ external_key: source, title, vote }) => (
          <li key={source} class="row wrap sm">
            <span class="grow">
              <span class="key">{source}</span> {title} <span class="muted">· {texts.votes(vote)}</span>
            </span>
            {mayChange && (
              <button
                class="btn small"
                type="button"
                disabled={busy !== undefined}
                aria-busy={busy === source}
                onClick={() => void unmerge(source)}
              >
                {texts.unmerge}
                <span class="sr">: {title}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
