import { sanitizeMailBody } from '../../text/html/rich-text'
import type { DigestItem } from '../mail/digest/compose'
import { MAX_NOTICES_PER_MAIL } from './queries/accept'
import { type DueRow, MAX_ROWS_PER_MAILING, type NoticeDetail } from './queries/due'

/** The shared variables of a mailing stay below 2 MB, also if each character takes six bytes of JSON. */
const MAX_NOTICES_PER_MAILING = 100
const MAX_TITLE_CHARACTERS = 140
const MAX_EXCERPT_CHARACTERS = 500

export interface DueBatch {
  people: number[]
  /** All notices of these people. */
  read: number[]
  /** The newest notices of each person. */
  chosen: number[]
}

/** Takes people in their order, until the mailing is full. The rows of a person are together, the newest first. */
export function chooseDueBatch(rows: readonly DueRow[]): DueBatch {
  const byPerson = [...Map.groupBy(rows, ({ userId }) => userId)]
  // The rows of the last person may continue beyond the limit.
  if (rows.length > MAX_ROWS_PER_MAILING && byPerson.length > 1) byPerson.pop()
  const [people, read, chosen] = [[] as number[], new Set<number>(), new Set<number>()]
  for (const [userId, own] of byPerson) {
    const ids = own.flatMap(({ noticeId }) => noticeId ?? [])
    const newest = ids.slice(0, MAX_NOTICES_PER_MAIL)
    const count = newest.filter((id) => !chosen.has(id)).length
    if (people.length && chosen.size + count > MAX_NOTICES_PER_MAILING) break
    people.push(userId)
    for (const id of ids) read.add(id)
    for (const id of newest) chosen.add(id)
  }
  return { people, read: [...read], chosen: [...chosen] }
}

const shorten = (text: string, max: number) => {
  const characters = Array.from(text)
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text
}

async function makeExcerpt(html: string): Promise<string> {
  const { text } = await sanitizeMailBody(html, '')
  return shorten(text.replace(/\s*\n\s*/g, '\n'), MAX_EXCERPT_CHARACTERS)
}

export interface PortalLinks {
  /** Public address of portals. */
  portalUrl: string
  /** False for a workspace with an address of its own for ideas. */
  linksIdeas: boolean
}

function makePortalUrl({ kind, key, portal, portalDomain }: NoticeDetail, { portalUrl, linksIdeas }: PortalLinks) {
  if (portal === null || (kind !== 'changelog' && !linksIdeas)) return undefined
  const home = portalDomain === null ? `${portalUrl}/p/${portal}` : `https://${portalDomain}`
  return `${home}/${kind === 'changelog' ? 'changelog' : 'ideas'}/${encodeURIComponent(key)}`
}

export async function makeDigestItem(detail: NoticeDetail, links: PortalLinks): Promise<DigestItem> {
  const { kind, key, productId, slug, status, message, version, comment } = detail
  const url = makePortalUrl(detail, links)
  return {
    ...{ kind, key, productId, title: shorten(detail.title, MAX_TITLE_CHARACTERS) },
    ...(slug !== null && { slug }),
    ...(url !== undefined && { url }),
    ...(kind === 'status' && status !== null && { status }),
    ...(message !== null && { message }),
    ...(version !== null && { version }),
    ...(comment !== null && { comment: await makeExcerpt(comment) }),
  }
}
