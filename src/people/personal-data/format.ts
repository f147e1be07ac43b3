import type { Database } from '../../db/client/client'
import type { Actor } from '../../db/sql/actor'
import type { Values } from '../../db/sql/statement'
import { canRead } from '../../http/auth'
import type { Area } from '../../http/token'
import { clearPeople, fillInPerson } from '../../workspace/events/people'
import { type MemberKey, member } from '../members/fields'
import * as sections from './queries/sections'

type Section = (db: Database, key: Values) => AsyncGenerator<object[]>

async function* listEvents(db: Database, key: Values): AsyncGenerator<object[]> {
  for await (const page of sections.listMemberEvents(db, key))
    yield page.map(({ id, type, data, previous, createdAt, ...person }) => ({
      ...{ id, type, createdAt },
      data: JSON.parse(fillInPerson(data, person)) as object,
      previous: previous === null ? null : (JSON.parse(clearPeople(previous)) as object),
    }))
}

/** The parts after the member, each with the area that a key needs to read the part. */
const SECTIONS: Readonly<Record<string, readonly [Area, Section]>> = {
  votes: ['feedback', sections.listVotes],
  ideas: ['feedback', sections.listIdeas],
  comments: ['feedback', sections.listIdeaComments],
  statusUpdates: ['feedback', sections.listStatusUpdates],
  workItemComments: ['backlog', sections.listItemComments],
  workItems: ['backlog', sections.listAssignedItems],
  emails: ['mail', sections.listMails],
  mailPreferences: ['mail', sections.listMailPreferences],
  changelogSubscription: ['mail', sections.listChangelogSubscription],
  segmentConfirmations: ['mail', sections.listSegmentConfirmations],
  suppressions: ['mail', sections.listSuppressions],
  events: ['events', listEvents],
}

/** Formats the data of a person as a JSON object, page by page. */
export async function* formatPersonalData(db: Database, actor: Actor, key: MemberKey): AsyncGenerator<string> {
  const { data } = await member.get(db, key)
  yield `{"member":${JSON.stringify(data)}`
  for (const [name, [area, list]] of Object.entries(SECTIONS)) {
    if (!canRead(actor, area)) {
      yield `,"${name}":null`
      continue
    }
    let before = `,"${name}":[`
    for await (const page of list(db, key)) {
      yield before + JSON.stringify(page).slice(1, -1)
      before = ','
    }
    yield before === ',' ? ']' : `${before}]`
  }
  yield '}'
}
