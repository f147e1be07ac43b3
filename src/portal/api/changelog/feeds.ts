import { escapeHtml } from '../../../text/html/escape'
import { toHex } from '../../../text/sha256'

export interface FeedEntry {
  /** Never changes, also if the address of the portal does. */
  id: string
  url: string
  title: string
  /** Sanitized HTML. */
  html: string
  labels: readonly string[]
  /** Address of the cover. */
  image: string | null
  publishedAt: string
  updatedAt: string
}

export interface Feed {
  id: string
  title: string
  homeUrl: string
  feedUrl: string
  /** Of the newest change. */
  updatedAt: string
  entries: readonly FeedEntry[]
}

const UUID_BYTES = 16
const UUID_GROUPS_PATTERN = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/

/** A name-based UUID of version 8 (RFC 9562), which a feed reader remembers an entry by. */
export async function makeFeedId(name: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name))
  return toHex(digest.slice(0, UUID_BYTES)).replace(UUID_GROUPS_PATTERN, 'urn:uuid:$1-$2-8$3-8$4-$5')
}

// XML 1.0 cannot express these characters, not even escaped.
const INVALID_XML_PATTERN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escapeXml = (text: string) => escapeHtml(text.toWellFormed().replace(INVALID_XML_PATTERN, ''))

const writeAtomEntry = ({ id, url, title, html, labels, publishedAt, updatedAt }: FeedEntry) => `<entry>
<id>${id}</id>
<title>${escapeXml(title)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>
<published>${publishedAt}</published>
<updated>${updatedAt}</updated>
${labels.map((label) => `<category term="${escapeXml(label)}"/>\n`).join('')}<content type="html">${escapeXml(html)}</content>
</entry>
`

/** Atom (RFC 4287). */
export const writeAtomFeed = ({ id, title, homeUrl, feedUrl, updatedAt, entries }: Feed): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${escapeXml(homeUrl)}">
<id>${id}</id>
<title>${escapeXml(title)}</title>
<author><name>${escapeXml(title)}</name></author>
<link rel="alternate" type="text/html" href="${escapeXml(homeUrl)}"/>
<link rel="self" type="application/atom+xml" href="${escapeXml(feedUrl)}"/>
<updated>${updatedAt}</updated>
${entries.map(writeAtomEntry).join('')}</feed>
`

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export const makeJsonFeed = ({ title, homeUrl, feedUrl, entries }: Feed) => ({
  version: 'https://jsonfeed.org/version/1.1',
  title,
  home_page_url: homeUrl,
  feed_url: feedUrl,
  items: entries.map(({ id, url, title, html, labels, image, publishedAt, updatedAt }) => ({
    ...{ id, url, title, content_html: html, date_published: publishedAt, date_modified: updatedAt },
    ...(image !== null && { image }),
    ...(labels.length > 0 && { tags: labels }),
  })),
})
