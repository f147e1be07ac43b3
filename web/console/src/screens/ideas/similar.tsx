import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { pathOf, readFilters } from './filters'
import type { Idea } from './requests'
import { texts } from './texts/texts'

const MAX_SIMILAR = 3
export type SimilarIdea = Awaited<ReturnType<typeof client.listSimilarFeedbackItems>>[number]

export const useSimilar = (key: string): readonly SimilarIdea[] =>
  useQuery<SimilarIdea[]>({
    queryKey: ['similar', key],
    queryFn: () => client.listSimilarFeedbackItems({ feedback_external_key: key, limit: MAX_SIMILAR }),
  }).data ?? []

export function Similar({ idea }: { idea: Idea }) {
  const similar = useSimilar(idea.external_key)
  if (!similar.length) return null
  return (
    <section class="banner" data-tone="amber" aria-labelledby="similar-ideas">
      <Icon name="merge" />
      <div class="grow stack tight">
        <h3 id="similar-ideas" class="h4">
          {texts.similar}
        </h3>
        <ul class="stack tight">
          {similar.map(({ external_key, title, vote }) => (
            <li key={external_key} class="sm">
              <a href={BASE + pathOf(readFilters(), external_key)}>{title}</a>{' '}
              <span class="muted">· {texts.votes(vote)}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
