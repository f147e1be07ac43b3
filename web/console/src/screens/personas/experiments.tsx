import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { useProducts } from '../../api/products'
import { useQuery } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { BASE } from '../../state/place'
import { pathOf } from '../experiments/place'
import { StatusBadge } from '../experiments/status-badge'
import { texts } from './texts/texts'

type ListedExperiment = Operations['listPersonaExperiments']['data'][number]

const MAX_SHOWN = 50

/** The newest experiments about the persona. */
export function Experiments({ personaKey }: { personaKey: string }) {
  const products = useProducts()
  const { data, error, refetch } = useQuery<ListedExperiment[]>({
    queryKey: ['experiment', 'persona', personaKey],
    queryFn: () => client.listPersonaExperiments({ persona_external_key: personaKey, limit: MAX_SHOWN }),
  })
  return (
    <section class="stack tight" aria-labelledby="persona-experiments">
      <h3 class="label" id="persona-experiments">
        {texts.experiments}
      </h3>
      {error && !data && <Failure title={texts.experimentsFailed} error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p class="muted">{texts.noExperiments}</p>}
      <ul class="stack tight">
        {data?.map(({ externalKey: key, title, status, initiativeId }) => {
          const product = products.find(({ id }) => id === initiativeId)?.externalKey
          return (
            <li key={key} class="row">
              <StatusBadge status={status} />
              {product ? (
                <a class="quiet truncate" href={BASE + pathOf({ product, statuses: [], experiment: key })}>
                  {title}
                </a>
              ) : (
                <span class="truncate">{title}</span>
              )}
              <span class="key push">{key}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
