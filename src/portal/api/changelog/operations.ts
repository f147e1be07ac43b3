import { ChangelogEntryParams } from '../../../feedback/changelog/schema'
import { declareCeiling, EACH_FOLLOWER_COST_REASON, PAGE_RECORDS_COST_REASON } from '../../../http/ceiling'
import { fileEtag, matchesEtag } from '../../../http/etag'
import { operation } from '../../../http/operation'
import { digestSha256 } from '../../../text/sha256'
import { PortalParams } from '../schema'
import { type Feed, type FeedEntry, makeFeedId, makeJsonFeed, writeAtomFeed } from './feeds'
import {
  getPortalEntry,
  listPortalChangelog as listEntries,
  previewChangelogEntry as previewEntry,
  readFeed,
} from './queries'
import {
  ChangelogPreview,
  ListPortalChangelog,
  PortalChangelog,
  PortalChangelogEntry,
  PortalEntryParams,
} from './schema'

const PAGE_VERSION = 1
const FEED_CEILING = declareCeiling(40_000, PAGE_RECORDS_COST_REASON)

export const listPortalChangelog = operation({
  id: 'listPortalChangelog',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  ceiling: FEED_CEILING,
  route: 'GET /api/v2/portal/{portal}/changelog',
  summary: 'List the changelog of a portal',
  description:
    'Published entries of the products that the portal shows, and of all products, the newest first. A portal without a changelog has no entries.',
  params: PortalParams,
  query: ListPortalChangelog,
  data: PortalChangelog,
  handle: async ({ query, db }) => ({ data: await listEntries(db, query), version: PAGE_VERSION }),
})

export const getPortalChangelogEntry = operation({
  id: 'getPortalChangelogEntry',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found', 'changelog_entry_not_found'],
  ceiling: declareCeiling(2_500, PAGE_RECORDS_COST_REASON),
  route: 'GET /api/v2/portal/{portal}/changelog/{published_external_key}',
  summary: 'Retrieve an entry of the changelog of a portal',
  description: 'A published entry of a product that the portal shows, or of all products.',
  params: PortalEntryParams,
  data: PortalChangelogEntry,
  handle: async ({ params, db }) => ({ data: await getPortalEntry(db, params), version: PAGE_VERSION }),
})

export const previewChangelogEntry = operation({
  id: 'previewChangelogEntry',
  ceiling: declareCeiling(20_000, EACH_FOLLOWER_COST_REASON),
  of: 'changelog_entry',
  route: 'GET /api/v2/changelog/{changelog_external_key}/preview',
  summary: 'Preview a changelog entry',
  description:
    'Shows a draft, scheduled or published entry as readers of the portal would see it now, and says how many people get a mail about its publication. Nothing is sent. Until the mail leaves, people can still follow the changelog or leave.',
  params: ChangelogEntryParams,
  data: ChangelogPreview,
  handle: async ({ params, db }) => ({ data: await previewEntry(db, params), version: PAGE_VERSION }),
})

interface FeedAddress {
  origin: string
  /** Name of the file of the feed. */
  file: string
}

async function makeFeed(
  { slug, domain, name, workspace, updatedAt, entries }: Awaited<ReturnType<typeof readFeed>>,
  { origin, file }: FeedAddress,
): Promise<Feed> {
  const [home, host] = domain === null ? [`${origin}/p/${slug}`, origin] : [`https://${domain}`, `https://${domain}`]
  const [homeUrl, api] = [`${home}/changelog`, `${host}/api/v2/portal/${slug}`]
  const toFeedEntry = async (entry: (typeof entries)[number]): Promise<FeedEntry> => ({
    ...{ title: entry.title, html: entry.html, labels: entry.labels },
    ...{ publishedAt: entry.publishedAt, updatedAt: entry.updatedAt, url: `${homeUrl}/${entry.key}` },
    id: await makeFeedId(`changelog ${workspace} ${entry.id}`),
    image: entry.cover === null ? null : `${api}/files/${entry.cover}`,
  })
  const changes = [updatedAt, ...entries.map((entry) => entry.updatedAt)].sort()
  return {
    ...{ title: name, homeUrl, feedUrl: `${api}/${file}`, updatedAt: changes.at(-1) ?? updatedAt },
    id: await makeFeedId(`changelog ${workspace}`),
    entries: await Promise.all(entries.map(toFeedEntry)),
  }
}

async function replyWithFeed(
  body: string,
  { file, type, known }: { file: string; type: string; known?: string | undefined },
) {
  const etag = fileEtag(await digestSha256(new TextEncoder().encode(body)))
  if (matchesEtag(known, etag)) return new Response(null, { status: 304, headers: { ETag: etag } })
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `inline; filename="${file}"`,
      // A browser that shows the feed runs nothing in it.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ETag: etag,
    },
  })
}

const FEED_DESCRIPTION = 'The newest 20 published entries. A portal without a changelog is a 404.'

export const getPortalAtomFeed = operation({
  id: 'getPortalAtomFeed',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  ceiling: FEED_CEILING,
  madeType: 'application/atom+xml',
  route: 'GET /api/v2/portal/{portal}/changelog.atom',
  summary: 'Read the changelog of a portal as Atom',
  description: FEED_DESCRIPTION,
  params: PortalParams,
  async handle({ db, portalOrigin, header }) {
    const file = 'changelog.atom'
    const body = writeAtomFeed(await makeFeed(await readFeed(db), { origin: portalOrigin, file }))
    return replyWithFeed(body, { file, type: 'application/atom+xml', known: header('if-none-match') })
  },
})

export const getPortalJsonFeed = operation({
  id: 'getPortalJsonFeed',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:read',
  errors: ['portal_not_found'],
  ceiling: FEED_CEILING,
  madeType: 'application/feed+json',
  route: 'GET /api/v2/portal/{portal}/changelog.json',
  summary: 'Read the changelog of a portal as JSON Feed',
  description: FEED_DESCRIPTION,
  params: PortalParams,
  async handle({ db, portalOrigin, header }) {
    const file = 'changelog.json'
    const body = JSON.stringify(makeJsonFeed(await makeFeed(await readFeed(db), { origin: portalOrigin, file })))
    return replyWithFeed(body, { file, type: 'application/feed+json', known: header('if-none-match') })
  },
})
