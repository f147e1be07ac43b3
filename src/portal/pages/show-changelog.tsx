import type { Context } from 'hono'
import { extractSnippet } from '../../feedback/search/snippet'
import type { AppEnv } from '../../http/response'
import { invalidValueError } from '../../text/errors'
import { getPortalEntry, listEntryLabels, listPortalChangelog, type PortalEntry } from '../api/changelog/queries'
import { CURSOR_PATTERN } from '../api/changelog/schema'
import { type ChangelogEntry, ChangelogEntryPage, ChangelogPage } from './changelog'
import { fileAddressOf, type OpenPortal, readFrame } from './open-portal'
import { respondWithPage } from './respond'
import { findMissing, showMissing } from './show-problem'

const ENTRIES_PER_PAGE = 10
const MAX_LABEL_CHARACTERS = 50

const toShownEntry = (slug: string, { product, updatedAt, ...entry }: PortalEntry): ChangelogEntry => ({
  ...entry,
  summary: extractSnippet(entry.html, ''),
  cover: entry.cover === null ? null : fileAddressOf(slug, entry.cover),
})

function readCursor(given: string | undefined): string {
  if (!given) return ''
  if (!CURSOR_PATTERN.test(given)) throw invalidValueError('/query/cursor', 'Must be a link of the page before.')
  return given
}

export async function showChangelog(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const cursor = readCursor(c.req.query('cursor'))
  const label = (c.req.query('label') ?? '').slice(0, MAX_LABEL_CHARACTERS)
  const query = { limit: ENTRIES_PER_PAGE, after: cursor || undefined, label: label || undefined }
  const [frame, { entries, next }, labels] = await Promise.all([
    readFrame(c, opened),
    listPortalChangelog(opened.db, query),
    listEntryLabels(opened.db),
  ])
  if (!frame.portal.hasChangelog) return showMissing(c, frame)
  const shown = entries.map((entry) => toShownEntry(opened.slug, entry))
  const changelog = { entries: shown, labels, label, cursor, next }
  return respondWithPage(c, <ChangelogPage frame={frame} changelog={changelog} />, { isShared: opened.isVisitor })
}

export async function showChangelogEntry(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const key = { published_external_key: c.req.param('key') ?? '' }
  const [frame, entry] = await Promise.all([readFrame(c, opened), getPortalEntry(opened.db, key).catch(findMissing)])
  if (!entry) return showMissing(c, frame)
  const page = <ChangelogEntryPage frame={frame} entry={toShownEntry(opened.slug, entry)} />
  return respondWithPage(c, page, { isShared: opened.isVisitor })
}
