import { useEffect } from 'preact/hooks'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { goTo } from '../../state/place'
import { chosenProduct } from '../../state/product'
import { texts } from '../../texts/texts'
import type { ScreenProps } from '../screens'

/** The first page of a workspace: its ideas, or else its backlog, or else the import that fills both. */
async function findFirstPage(): Promise<string> {
  const ideas = await client.attempt('listFeedbackItems', { limit: 1 })
  if (ideas.error || ideas.data.length) return '/ideas'
  const products = await client.attempt('listProducts', { limit: 1 })
  const product = chosenProduct.value ?? products.data?.[0]?.externalKey
  if (product === undefined) return '/imports'
  const epics = await client.attempt('listEpics', { product_external_key: product, limit: 1 })
  return epics.data?.length ? '/backlog' : '/imports'
}

export default function Home({ main }: ScreenProps) {
  const { data: path } = useQuery({ queryKey: ['first_page'], queryFn: findFirstPage, staleTime: 0 })
  useEffect(() => {
    if (path) goTo(path, { replaces: true })
  }, [path])
  return (
    <>
      <Bar title={texts.loading} />
      <main id="main" ref={main} tabIndex={-1} class="padded">
        <Skeleton />
      </main>
    </>
  )
}
