import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'
import type { View } from './place'

export type ListedExperiment = Operations['listExperiments']['data'][number]
export type Experiment = Operations['getExperiment']['data']
export type Status = Experiment['status']
export type NewExperiment = Pick<Experiment, 'title'> & Partial<{ hypothesis: string }>
export interface Outcome {
  result: NonNullable<Experiment['result']>
  decision?: NonNullable<Experiment['decision']>
  learnings?: string
  actualValue?: string
}

/** How the requests name an experiment. */
export interface ExperimentPlace {
  product: string
  key: string
}

const toPath = ({ product, key }: ExperimentPlace) => ({
  product_external_key: product,
  experiment_external_key: key,
})

const RESOURCE = 'experiment'
const MAX_PAGE = 100

async function collect<R>(records: AsyncIterable<R>): Promise<R[]> {
  const found: R[] = []
  for await (const record of records) found.push(record)
  return found
}

const keyOfList = ({ product, statuses }: Pick<View, 'product' | 'statuses'>) => [
  RESOURCE,
  'list',
  product,
  statuses.join(','),
]

export const useExperimentList = (view: View) =>
  useQuery<ListedExperiment[]>({
    queryKey: keyOfList(view),
    queryFn: () =>
      collect(
        client.each('listExperiments', {
          product_external_key: view.product,
          limit: MAX_PAGE,
          ...(view.statuses.length && { status: [...view.statuses] }),
        }),
      ),
  })

/** Takes the row out of the shown list. */
export const listWithout = (view: View, key: string): void => {
  queries.setQueryData<ListedExperiment[]>(keyOfList(view), (shown) =>
    shown?.filter(({ externalKey }) => externalKey !== key),
  )
}

async function readExperiment(place: ExperimentPlace): Promise<Versioned<Experiment>> {
  const { data, headers } = await client.request('getExperiment', toPath(place))
  return { record: data, etag: headers.get('etag') ?? '' }
}

const keyOf = ({ product, key }: ExperimentPlace) => [RESOURCE, 'one', product, key]

export const useExperiment = (place: ExperimentPlace) =>
  useQuery<Versioned<Experiment>>({ queryKey: keyOf(place), queryFn: () => readExperiment(place) })

export const changeOf = (place: ExperimentPlace) => ({
  read: () => readExperiment(place),
  async send(change: Partial<Experiment>, etag: string): Promise<Versioned<Experiment>> {
    const input = { ...toPath(place), body: change as never }
    const { data, headers } = await client.request('modifyExperiment', input, { ifMatch: etag })
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<Experiment>) {
    showStored(keyOf(place), stored)
    void queries.invalidateQueries({ queryKey: [RESOURCE, 'list', place.product] })
  },
})

export const readAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

export const sendNewExperiment = async (product: string, fields: NewExperiment): Promise<string> =>
  (await client.createExperiment({ product_external_key: product, body: fields })).externalKey

export const sendStart = (place: ExperimentPlace) => client.startExperiment(toPath(place))
export const sendStop = (place: ExperimentPlace, outcome: Outcome) =>
  client.stopExperiment({ ...toPath(place), body: outcome })
export const sendRemoval = (place: ExperimentPlace) => client.removeExperiment(toPath(place))
export const sendRestore = (place: ExperimentPlace) => client.restoreExperiment(toPath(place))

interface Named {
  key: string
  name: string
}

/** The KPIs that an experiment of the product can name. */
export const useKpiChoices = (product: string): readonly Named[] =>
  useQuery<Named[]>({
    queryKey: ['kpi', 'choices', product],
    queryFn: async () => {
      const kpis = await collect(client.each('listKpis', { product_external_key: product, limit: MAX_PAGE }))
      return kpis.flatMap(({ externalKey, title }) => (externalKey ? [{ key: externalKey, name: title }] : []))
    },
  }).data ?? []

/** The personas of the product and of all products. */
export const usePersonaChoices = (product: string): readonly Named[] =>
  useQuery<Named[]>({
    queryKey: ['persona', 'choices', product],
    queryFn: async () => {
      const personas = await collect(client.each('listPersonas', { limit: MAX_PAGE }))
      return personas
        .filter((persona) => persona.product === null || persona.product === product)
        .map(({ externalKey, name }) => ({ key: externalKey, name }))
    },
  }).data ?? []

/** The summary of an opportunity. */
export const useOpportunity = (key: string | null) =>
  useQuery<string>({
    queryKey: ['opportunity', key],
    queryFn: async () => (await client.getOpportunity({ opportunity_external_key: key ?? '' })).summary,
    enabled: key !== null,
  }).data
