import type { Operations } from 'groundwork-client'
import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { mergeIdeas } from './acts'
import { pathOf, readFilters } from './filters'
import type { IdeaList } from './idea-list'
import type { Idea } from './requests'
import { texts } from './texts/texts'

const MAX_SIMILAR = 3
export type SimilarIdea = Operations['listSimilarFeedbackItems']['data'][number]

export const useSimilar = (key: string): readonly SimilarIdea[] =>
  useQuery<SimilarIdea[]>({
    queryKey: ['similar', key],
    queryFn: () => client.listSimilarFeedbackItems({ feedback_external_key: key, limit: MAX_SIMILAR }),
  }).data ?? []

interface SimilarProps {
  idea: Idea
  list: IdeaList
  mayChange: boolean
}

/** Ideas with the same words, and the voters that a merge would bring. */
export function Similar({ idea, list, mayChange }: SimilarProps) {
  const similar = useSimilar(idea.external_key)
  const [error, setError] = useState<unknown>()
  const merge = (key: string) => {
    setError(undefined)
    mergeIdeas(list, key, idea.external_key).catch(setError)
  }
  if (!similar.length) return null
  return (
    <section class="banner" data-tone="amber" aria-labelledby="similar-ideas">
      <Icon name="merge" />
      <div class="grow stack tight">
        <h3 id="similar-ideas" class="h4">
          {texts.similar}
        </h3>
        {error !== undefined && <Failure title={texts.notMerged} error={error} />}
        <ul class="stack tight">
          {similar.map(({ external_key, title, vote, new_voters }) => (
            <li key={external_key} class="row wrap sm">
              <span class="grow">
                <a href={BASE + pathOf(readFilters(), external_key)}>{title}</a>{' '}
                <span class="muted">
                  · {texts.votes(vote)}
                  {new_voters > 0 && ` · ${texts.newVoters(new_voters)}`}
                </span>
              </span>
              {mayChange && (
                <button class="btn small" type="button" onClick={() => merge(external_key)}>
                  {texts.mergeHere}
                  <span class="sr">: {title}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
