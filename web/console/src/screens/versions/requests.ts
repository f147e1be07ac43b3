import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'

export type ListedVersion = Operations['listSolutionVersions']['data'][number]
export type Version = Operations['getSolutionVersion']['data']
export type VersionItem = NonNullable<Version['itemDetails']>[number]
export type VersionFields = Pick<Version, 'name' | 'startDate' | 'releaseDate'>
export type Notify = 'later' | 'now' | 'none'

/** How the requests name a version. */
export interface VersionPlace {
  product: string
  key: string
}

const toPath = ({ product, key }: VersionPlace) => ({
  product_external_key: product,
  solution_version_external_key: key,
})

const RESOURCE = 'solution_version'
const MAX_PAGE = 100

export const useVersionList = (product: string) =>
  useQuery<ListedVersion[]>({
    queryKey: [RESOURCE, 'list', product],
    queryFn: async () => {
      const found: ListedVersion[] = []
      const pages = client.each('listSolutionVersions', { product_external_key: product, limit: MAX_PAGE })
      for await (const version of pages) found.push(version)
      return found
    },
  })

async function readVersion(place: VersionPlace): Promise<Versioned<Version>> {
  const { data, headers } = await client.request('getSolutionVersion', { ...toPath(place), include: 'itemDetails' })
  return { record: data, etag: headers.get('etag') ?? '' }
}

const keyOf = ({ product, key }: VersionPlace) => [RESOURCE, 'one', product, key]

export const useVersion = (place: VersionPlace) =>
  useQuery<Versioned<Version>>({ queryKey: keyOf(place), queryFn: () => readVersion(place) })

/** Shows other items until the service has answered. */
export const showItems = (place: VersionPlace, itemDetails: readonly VersionItem[]): void => {
  queries.setQueryData<Versioned<Version>>(
    keyOf(place),
    (current) =>
      current && {
        ...current,
        record: {
          ...current.record,
          itemDetails: [...itemDetails],
          items: itemDetails.map(({ externalKey }) => externalKey),
        },
      },
  )
}

export const changeOf = (place: VersionPlace) => ({
  read: () => readVersion(place),
  async send(change: Partial<Version>, etag: string): Promise<Versioned<Version>> {
    const body = change as Partial<VersionFields>
    await client.request('modifySolutionVersion', { ...toPath(place), body }, { ifMatch: etag })
    return readVersion(place)
  },
  accept(stored: Versioned<Version>) {
    showStored(keyOf(place), stored)
    void queries.invalidateQueries({ queryKey: [RESOURCE, 'list', place.product] })
  },
})

export const readAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

export const sendNewVersion = async (product: string, fields: VersionFields): Promise<string> =>
  (await client.createSolutionVersion({ product_external_key: product, body: fields })).externalKey

interface ReleaseChoice {
  notify: Notify
  draftChangelog: boolean
  /** Also with items that are not done. */
  force: boolean
}

export type Audience = Operations['getReleaseAudience']['data']

/** Whom a release would mail now. */
export const useAudience = (place: VersionPlace) =>
  useQuery<Audience>({
    queryKey: [RESOURCE, 'audience', place.product, place.key],
    queryFn: () => client.getReleaseAudience(toPath(place)),
  })

export const sendRelease = (place: VersionPlace, body: ReleaseChoice) =>
  client.releaseSolutionVersion({ ...toPath(place), body })
export const takeReleaseBack = (place: VersionPlace) => client.unreleaseSolutionVersion(toPath(place))
export const sendStart = (place: VersionPlace) =>
  client.modifySolutionVersion({ ...toPath(place), body: { status: 'in-progress' } })
export const sendArchiving = (place: VersionPlace) => client.archiveSolutionVersion(toPath(place))
export const sendRemoval = (place: VersionPlace) => client.removeSolutionVersion(toPath(place))
export const sendRestore = (place: VersionPlace) => client.restoreSolutionVersion(toPath(place))

/** Takes the row out of the shown list. */
export const listWithout = ({ product, key }: VersionPlace): void => {
  queries.setQueryData<ListedVersion[]>([RESOURCE, 'list', product], (versions) =>
    versions?.filter(({ externalKey }) => externalKey !== key),
  )
}
