import { expect, test } from 'vitest'
import { peopleImportKind } from '../../../src/people/imports/kind'
import { type ImportMapping, ImportRowRejection } from '../../../src/workspace/imports/kind'
import { createRowReader } from '../../../src/workspace/imports/mapper'
import { buildImportMapping } from '../../../src/workspace/imports/mapping'

function readRow(mapping: ImportMapping, cells: unknown) {
  const read = createRowReader(peopleImportKind, mapping)(cells)
  return read instanceof ImportRowRejection ? read : read.row
}

function mapWithPreset(cells: Record<string, string>) {
  const mapping = buildImportMapping(peopleImportKind, Object.keys(cells))
  return { preset: mapping.preset, row: readRow(mapping, Object.values(cells)) }
}

const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', role: null, createdAt: null }

test('an audience of Mailchimp is mapped', () => {
  const cells = {
    'Email Address': 'ada@example.com',
    'First Name': 'Ada',
    'Last Name': 'Lovelace',
    Address: '1 Main St  London',
    'Phone Number': '555 0100',
    Birthday: '12/10',
    'Favourite engine': 'Analytical',
    MEMBER_RATING: '4',
    OPTIN_TIME: '2026-01-01 10:00:00',
    OPTIN_IP: '192.0.2.1',
    CONFIRM_TIME: '2026-01-01 10:01:00',
    CONFIRM_IP: '192.0.2.1',
    LATITUDE: '51.5',
    LONGITUDE: '-0.1',
    GMTOFF: '0',
    DSTOFF: '1',
    TIMEZONE: 'Europe/London',
    CC: 'GB',
    REGION: 'LND',
    LAST_CHANGED: '2026-02-01 10:00:00',
    LEID: '1',
    EUID: 'ab12',
    NOTES: '',
    TAGS: '"vip","beta"',
  }
  expect(mapWithPreset(cells)).toEqual({
    preset: 'mailchimp',
    row: {
      ...ada,
      externalId: { source: 'mailchimp', id: '1' },
      attributes: {
        address: '1 Main St  London',
        phone: '555 0100',
        birthday: '12/10',
        'Favourite engine': 'Analytical',
        memberRating: '4',
        optedInAt: '2026-01-01 10:00:00',
        confirmedAt: '2026-01-01 10:01:00',
        timezone: 'Europe/London',
        country: 'GB',
        region: 'LND',
        tags: '"vip","beta"',
      },
    },
  })
})

const UNSUBSCRIPTION = { reason: 'unsubscribe', segment: null }

test('the unsubscribed people of Mailchimp are mapped', () => {
  const cells = {
    'Email Address': 'ada@example.com',
    'First Name': 'Ada',
    'Last Name': 'Lovelace',
    UNSUB_TIME: '2026-03-01 10:00:00',
    UNSUB_CAMPAIGN_TITLE: 'March',
    UNSUB_CAMPAIGN_ID: 'c1',
    UNSUB_REASON: 'no longer interested',
    UNSUB_REASON_OTHER: '',
    MEMBER_RATING: '2',
    LEID: '1',
    EUID: 'ab12',
  }
  const attributes = {
    unsubscribedAt: '2026-03-01 10:00:00',
    unsubscribeReason: 'no longer interested',
    memberRating: '2',
  }
  expect(mapWithPreset(cells)).toEqual({
    preset: 'mailchimp',
    row: { ...ada, externalId: { source: 'mailchimp', id: '1' }, attributes, suppressions: [UNSUBSCRIPTION] },
  })
})

test('contacts of HubSpot are mapped, with time zones in the column names', () => {
  const cells = {
    'Record ID': '901',
    'First Name': 'Ada',
    'Last Name': 'Lovelace',
    Email: 'ada@example.com',
    'Phone Number': '555 0100',
    'Contact owner': 'Charles Babbage',
    'Last Activity Date (EST)': '2026-02-01 10:00',
    'Lead Status': 'New',
    'Marketing contact status': 'Marketing contact',
    'Create Date (EST)': '2026-01-01 10:00',
    'Associated Company': 'Engines Ltd',
    'Associated Company (Primary)': 'Engines Ltd',
    'Associated Company IDs': '77',
    'Shoe size': '38',
  }
  expect(mapWithPreset(cells)).toEqual({
    preset: 'hubspot',
    row: {
      ...ada,
      externalId: { source: 'hubspot', id: '901' },
      attributes: {
        phone: '555 0100',
        owner: 'Charles Babbage',
        lastActivityDate: '2026-02-01 10:00',
        leadStatus: 'New',
        marketingContactStatus: 'Marketing contact',
        createDate: '2026-01-01 10:00',
        company: 'Engines Ltd',
        'Associated Company (Primary)': 'Engines Ltd',
        'Shoe size': '38',
      },
    },
  })
})

test('people of Intercom are mapped', () => {
  const cells = {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Name: 'Ada Lovelace',
    Owner: 'Charles Babbage',
    'Lead category': '',
    'Conversation Rating': '5',
    Email: 'ada@example.com',
    Phone: '',
    'User ID': 'u-1',
    'First Seen (GMT)': '2026-01-01 09:00:00',
    'Signed up (GMT)': '2026-01-01 10:00:00',
    'Last seen (GMT)': '2026-02-01 10:00:00',
    'Last contacted (GMT)': '',
    'Web sessions': '150',
    Country: 'United Kingdom',
    City: 'London',
    'Browser Language': 'en',
    Browser: 'firefox',
    'Browser Version': '140',
    OS: 'Linux',
    Tag: 'beta',
    'Unsubscribed from Emails': 'true',
    plan: 'pro',
  }
  expect(mapWithPreset(cells)).toEqual({
    preset: 'intercom',
    row: {
      ...ada,
      suppressions: [UNSUBSCRIPTION],
      externalId: { source: 'intercom', id: 'u-1' },
      attributes: {
        owner: 'Charles Babbage',
        conversationRating: '5',
        firstSeen: '2026-01-01 09:00:00',
        signedUp: '2026-01-01 10:00:00',
        lastSeen: '2026-02-01 10:00:00',
        webSessions: '150',
        country: 'United Kingdom',
        city: 'London',
        language: 'en',
        tags: 'beta',
        unsubscribedFromEmails: 'true',
        plan: 'pro',
      },
    },
  })
  const { 'First name': _, 'Last name': __, ...byName } = cells
  expect(mapWithPreset(byName).row).toMatchObject({ firstName: 'Ada Lovelace', lastName: null })
})

test('members of Groundwork are mapped from CSV and from JSON', () => {
  const member = {
    id: 7,
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    role: 'member',
    attributes: { plan: 'pro', seats: 5, paid: true },
    segmentIds: [1, 2],
    invitation: { status: 'pending', resendCount: 0 },
    createdAt: '2026-01-01T10:00:00.000Z',
    updatedAt: '2026-01-01T10:00:00.000Z',
  }
  const mapping = buildImportMapping(peopleImportKind, Object.keys(member), undefined, { open: true })
  const row = { ...ada, role: 'member', attributes: member.attributes, createdAt: 1767261600000 }
  expect([mapping.preset, readRow(mapping, member)]).toEqual(['groundwork', row])
  const cells = Object.entries(member).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  expect(mapWithPreset(Object.fromEntries(cells))).toEqual({ preset: 'groundwork', row })
})

test.each([
  [['Email Address', 'First Name', 'TAGS']],
  [['Record ID', 'Company name', 'mail']],
  [['email', 'firstName', 'lastName', 'role', 'Last seen']],
])('%j matches no preset', (header) => {
  expect(buildImportMapping(peopleImportKind, header).preset).toBeNull()
})

test("the mapping wins over a preset, and a column with an attribute's name wins over a renamed column", () => {
  const header = ['Email Address', 'MEMBER_RATING', 'LEID', 'EUID', 'CC', 'country', 'NOTES']
  const { preset, columns } = buildImportMapping(peopleImportKind, header, {
    leid: { attribute: 'mailchimpId' },
    NOTES: null,
  })
  expect(preset).toBe('mailchimp')
  expect(columns.slice(1)).toEqual([
    { column: 'MEMBER_RATING', attribute: 'memberRating' },
    { column: 'LEID', attribute: 'mailchimpId' },
    { column: 'EUID', ignored: true },
    { column: 'CC', attribute: 'CC' },
    { column: 'country', attribute: 'country' },
    { column: 'NOTES', ignored: true },
  ])
})
