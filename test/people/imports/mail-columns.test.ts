import { expect, test } from 'vitest'
import { findMailColumn } from '../../../src/people/imports/mail-names'
import { peoplePresets } from '../../../src/people/imports/presets'
import { findReasonOfFile, findRefusalList } from '../../../src/people/imports/refusal-files'
import { isStatedRefusal } from '../../../src/people/imports/refusal-phrases'
import { send } from '../../client'
import { createWorkspace } from '../../factories'
import { createImportScenario, MEMBERS } from '../../workspace/imports/scenario'

/** Columns of products and of people's own lists. */
const REFUSALS = [
  ...['Unsubscribed from all email', 'Email hard bounce reason', 'UNSUB_TIME', 'UNSUB_CAMPAIGN_TITLE', 'CLEAN_TIME'],
  ...['Unsubscribed from Emails', 'Marked email as spam', 'Has hard bounced', 'Email Opt Out', 'HasOptedOutOfEmail'],
  ...['hs_email_optout', 'Do Not Email', 'do-not-contact', 'EMAIL_BLACKLISTED', 'Blocklisted', 'cio_unsubscribed'],
  ...['Suppression reason', 'Bounced At', 'Spam Complaint', 'Opted Out', 'Abgemeldet', 'Newsletter abbestellt'],
  ...['Werbewiderspruch', 'Désabonné', 'desabonne', 'Date de désinscription', 'Cancelado', 'Fecha de baja', 'Rebotado'],
  ...['Disiscritto', 'Descadastrado', 'Uitgeschreven', 'Wypisany', 'Avregistrerad', 'Odhlášen', 'Отписан', '配信停止'],
  ...['バウンス', '退订', '수신거부'],
]
const CONSENTS = [
  ...['Marketing contact status', 'OPTIN_TIME', 'CONFIRM_TIME', 'Email Marketing Consent', 'Accepts Marketing'],
  ...['Accepts Email Marketing', 'GDPR consent', 'Subscription status', 'send_emails', 'Newsletter', 'Einwilligung'],
  ...['DSGVO-Zustimmung', 'Consentement', 'Consentimiento', 'Consenso', 'Toestemming', 'Zgoda', 'Samtycke', 'Согласие'],
]
const OTHERS = [
  ...['email', 'Email Address', 'First Name', 'Company', 'MEMBER_RATING', 'LEID', 'Plan', 'Seats', 'Country', 'Notes'],
  ...[
    'Website URL',
    'Job Title',
    'Last seen',
    'Lead Source',
    'TIMEZONE',
    'Vorname',
    'Telefon',
    'Bundesstaat',
    'Produkt',
  ],
  ...['OPTIN_IP', 'CONFIRM_IP', 'Consent source', 'Options', 'Optimizer', 'Kundennummer', 'Cleaner', 'Spammer ratio'],
]

test('columns about unsubscription, bounces, complaints and consent are found in any language and spelling', () => {
  for (const column of REFUSALS) expect([column, findMailColumn(column)]).toEqual([column, 'refusal'])
  for (const column of CONSENTS) expect([column, findMailColumn(column)]).toEqual([column, 'consent'])
  for (const column of OTHERS) expect([column, findMailColumn(column)]).toEqual([column, undefined])
  expect(findMailColumn('  unsubscribed_FROM-all  Email ')).toBe('refusal')
  for (const hostile of ['__proto__', 'constructor', '', 'x'.repeat(100_000), 'unsub'.repeat(50_000)])
    expect(findMailColumn(hostile)).toBeUndefined()
})

test('every column of a known product whose name speaks of it is found', () => {
  const columns = peoplePresets.flatMap((preset) => Object.keys(preset.columns))
  const named = columns.filter((column) => /unsub|clean|spam|bounc|optin_time|marketing|confirm_time/i.test(column))
  expect(named.length).toBeGreaterThan(10)
  for (const column of named) expect([column, findMailColumn(column)]).toEqual([column, expect.any(String)])
})

/** A negation turns a word about mail or contact into a refusal, in any language and spelling. */
const NEGATED = [
  ...[
    'Do not send email',
    'Do not send emails',
    'doNotSendEmail',
    'do_not_send_emails',
    'donotsendemail',
    "Don't contact",
  ],
  ...['Don’t send newsletters', 'No mailing', 'Do not send', 'Do not allow Bulk Emails', 'Never email', 'No consent'],
  ...['Not opted in', 'Stop emails', 'Keine E-Mails', 'Kein Mailing', 'Nicht anschreiben', 'Nicht kontaktieren'],
  ...[
    'Werbung nicht erlaubt',
    'Newsletter nicht gewünscht',
    'keineWerbung',
    'Ne plus contacter',
    'Ne pas envoyer d’e-mail',
  ],
  ...["Ne pas envoyer d'e-mail", 'Ne souhaite plus recevoir la newsletter', 'Pas de mailing', 'No recibir correos'],
  ...[
    'No desea recibir boletín',
    'Non inviare email',
    'Non contattare',
    'Não enviar e-mails',
    'Geen mailing',
    'Niet mailen',
  ],
  ...[
    'Nie wysyłać',
    'Brak zgody',
    'Skicka inte nyhetsbrev',
    'Ikke kontakt',
    'Ei markkinointia',
    'Nezasílat',
    'Neposílat',
  ],
  ...['Не присылать', 'Нет согласия', 'Не отправлять рассылку'],
]
const MISSED_REFUSALS = [
  ...['IsExcludedFromCampaigns', 'email_disabled', 'Email Suspended', 'Marketing Suspended', 'E-Mail ungültig'],
  ...[
    'E-Mail gesperrt',
    'Newsletter gekündigt',
    'Refus emailing',
    'Fecha baja',
    'Baja newsletter',
    'Iscrizione annullata',
  ],
  ...[
    'Geblokkeerd',
    'Czarna lista',
    'Anulowano subskrypcję',
    'Zrezygnował',
    'Spärrad',
    'Markkinointikielto',
    'Odjavljen',
  ],
  ...[
    'Черный список',
    'Чёрный список',
    'Kara liste',
    '配信拒否',
    '黑名单',
    '拒收',
    '블랙리스트',
    'القائمة السوداء',
    'הוסר',
  ],
]
const MISSED_CONSENTS = [
  ...[
    'Werbung erlaubt',
    'email_subscribe',
    'Nieuwsbrief',
    'Nyhetsbrev',
    'Uutiskirje',
    'Рассылка',
    'メルマガ',
    'オプトイン',
  ],
  ...['Allow emails', 'Emails allowed'],
]
const CALM = [
  ...[
    'Notes',
    'City',
    'Plan',
    'Status of an order',
    'Contact No',
    'Phone no',
    'No. of emails',
    'No of contacts',
    'Emails sent',
  ],
  ...[
    'Never contacted',
    'Not contacted',
    'Last contacted',
    'Nonprofit',
    'Non-profit contact',
    'Non-member',
    'Notification',
  ],
  ...['Novice', 'Noemi', 'Mailing address', 'Invalid mailing address', 'Email domain', 'Contact owner', 'Marketplace'],
  ...[
    'Kündigung',
    'Sperre',
    'Austrittsdatum',
    'Nebenkosten',
    'Neukunde',
    'NE Region',
    'Campaign source',
    'Type',
    'Subscription',
  ],
]

test('a negation and a state beside a word about mail are refusals, and columns about nothing of it are not', () => {
  for (const column of [...NEGATED, ...MISSED_REFUSALS])
    expect([column, findMailColumn(column)]).toEqual([column, 'refusal'])
  for (const column of MISSED_CONSENTS) expect([column, findMailColumn(column)]).toEqual([column, 'consent'])
  for (const column of CALM) expect([column, findMailColumn(column)]).toEqual([column, undefined])
  // Longer texts say something else, and are not read.
  expect(isStatedRefusal('unsubscribed '.repeat(100_000))).toBe(false)
})

const STATED = [
  ...['Unsubscribed', 'UNSUBSCRIBED', 'unsubscribed from all', 'Opted out', 'opted-out', 'Bounced', 'Hard bounce'],
  ...[
    'Do not contact',
    'Please do not email',
    "Don't email",
    'no newsletter',
    'abgemeldet',
    'Keine Werbung',
    'désabonné',
  ],
  ...['Désinscrite', 'Nicht anschreiben', 'Disiscritto', 'Uitgeschreven', 'Wypisany', 'отписан', '已退订', '配信停止'],
]
const UNSTATED = [
  ...[
    '',
    'active',
    'Subscribed',
    'New',
    'rejected',
    'cancelled',
    'No email',
    'no contact',
    'No contact yet',
    'kein Kontakt',
  ],
  ...[
    'Bounce house',
    'Complaints',
    'unsubstantiated',
    'Not subscribed',
    'not yet contacted',
    'Never contacted',
    'Non-profit',
  ],
  ...['He unsubscribed from our calls', 'Do not call', 'Berlin', 'x'.repeat(100_000)],
]

test('a value that is nothing but a status that ends mail is a warning in any unknown column', async () => {
  for (const value of STATED) expect([value, isStatedRefusal(value)]).toEqual([value, true])
  for (const value of UNSTATED) expect([value, isStatedRefusal(value)]).toEqual([value, false])
  const { run } = await createImportScenario()
  const rows: [column: string, value: string, isWarning: boolean][] = [
    ...['Global status', 'Marketing status', 'Subscription', 'type', 'email_subscribe', 'Lead Status', 'Notes'].map(
      (column): [string, string, boolean] => [column, 'Unsubscribed', true],
    ),
    ...[['Lead Status', 'Do not contact', true] as const, ['Email Suspended', 'true', true] as const].map(
      ([column, value, isWarning]): [string, string, boolean] => [column, value, isWarning],
    ),
    ['Do not send email', 'yes', true],
    ['Keine E-Mails', 'ja', true],
    ['Nieuwsbrief', 'nee', true],
    ['Подписка', 'нет', true],
    ['Подписка', 'Про', false],
    ['Order status', 'Rejected', false],
    ['Plan', 'cancelled', false],
    ['City', 'Bouncedale', false],
    ['Notes', 'He unsubscribed from our calls', false],
    ['firstName', 'Bounced', false],
  ]
  for (const [n, [column, value, isWarning]] of rows.entries()) {
    const { body } = await run(`email,${column}\np${n}@example.com,${value}\n`)
    const warning = { field: 'suppression', column, value, became: null }
    expect([column, value, body.data.warnings]).toMatchObject([column, value, isWarning ? [warning] : []])
    expect([column, body.message?.includes('Mail reaches people')]).toEqual([column, isWarning])
  }
})

const UNKNOWN_FILE = { preset: null, columns: [], constants: {}, createMissing: [] }

test('the name of a file says that its people get no mail', () => {
  for (const name of [
    ...['unsubscribed_members_export_1a2b3c.csv', 'cleaned_segment_export.csv', 'Bounces 2026.csv', 'opt-out.csv'],
    ...['Abgemeldete.csv', 'désabonnés.csv', 'suppression-list.csv'],
  ])
    expect([name, findRefusalList(name, UNKNOWN_FILE)?.problem?.field]).toEqual([name, 'suppression'])
  for (const name of ['subscribed_members_export.csv', 'people.csv', 'cleaners.csv', 'bounceback-club.csv', ''])
    expect([name, findRefusalList(name, UNKNOWN_FILE)]).toEqual([name, undefined])
})

test('the most specific word of the name of a file decides its reason', () => {
  const { preset } = UNKNOWN_FILE
  for (const [name, reason] of [
    ['suppression_bounces.csv', 'hard_bounce'],
    ['suppression_unsubscribes.csv', 'unsubscribe'],
    ['suppression_spam_reports.csv', 'complaint'],
    ['suppression_invalid_emails.csv', 'hard_bounce'],
    ['spam_reports.csv', 'complaint'],
    ['global-unsubscribes-suppressions.csv', 'unsubscribe'],
    ['suppression_blocks.csv', 'manual'],
    ['nonsubscribed.csv', 'manual'],
  ])
    expect([name, findReasonOfFile(name ?? '', { preset })?.suppression]).toEqual([name, reason])
  for (const name of ['archived_ideas.csv', 'people.csv']) expect(findReasonOfFile(name, { preset })).toBeUndefined()
})

const NOT_TAKEN_OVER = expect.stringContaining('POST /api/v2/suppressions/import')

test('the dry run and the run warn of each column that no import takes over, and the file of warnings lists all', async () => {
  const { run, key } = await createImportScenario()
  const header = 'email,Plan,Unsubscribed from all email,Marketing contact status,Email hard bounce reason'
  const file = [
    header,
    'ada@example.com,pro,true,Marketing contact,',
    'bob@example.com,pro,false,Non-marketing contact,"MAILBOX_FULL at 2024-01-02"',
    'cem@example.com,pro,TRUE,Marketing contact,',
    'dan@example.com,pro,,Marketing contact,',
  ].join('\n')
  const warnings = [
    { field: 'suppression', column: 'Unsubscribed from all email', value: 'true', rows: 1, became: null },
    { field: 'suppression', column: 'Marketing contact status', value: 'Non-marketing contact', rows: 1, became: null },
    { field: 'suppression', column: 'Email hard bounce reason', value: null, rows: 1, became: null },
    { field: 'suppression', column: 'Unsubscribed from all email', value: 'TRUE', rows: 1, became: null },
  ].map((warning) => ({ ...warning, reason: NOT_TAKEN_OVER }))
  const others = [
    { field: 'consent', column: 'Marketing contact status', value: 'Marketing contact', rows: 3, became: null },
    { field: 'consent', column: 'Unsubscribed from all email', value: 'false', rows: 1, became: null },
  ]
  const dry = await run(file, { query: '?dryRun=true' })
  expect([dry.status, dry.body.data.warnings]).toMatchObject([200, [...warnings, ...others]])
  const made = await run(file)
  expect([made.status, made.body.data.totals.created, made.body.data.warnings]).toMatchObject([
    201,
    4,
    [...warnings, ...others],
  ])
  const { response } = await send('GET', `/api/v2/imports/${made.body.data.id}/warnings.csv`, { apiKey: await key() })
  const text = await response.text()
  expect([response.status, text.trim().split('\n').length]).toEqual([200, 1 + warnings.length + others.length])
  expect(text).toContain('suppression,Email hard bounce reason,,1,,')
})

test('a file of listmonk or JSON warns, and a file whose values end no mail only mentions its columns', async () => {
  const { run, client } = await createImportScenario()
  const listmonk =
    'email,name,status,attributes\nb@example.com,B,blocklisted,"{""send_emails"":false}"\nc@example.com,C,enabled,"{""send_emails"":true}"\n'
  expect((await run(listmonk)).body.data.warnings).toMatchObject([
    { field: 'suppression', column: 'status', value: 'blocklisted', rows: 1 },
    { field: 'suppression', column: 'attributes.send_emails', value: 'false', rows: 1 },
    { field: 'consent', column: 'attributes.send_emails', value: 'true', rows: 1 },
  ])
  const json = await client<{ warnings: object[] }>('POST', MEMBERS, {
    json: [
      { email: 'd@example.com', unsubscribed: true },
      { email: 'e@example.com', unsubscribed: false, optIn: 0 },
    ],
  })
  expect(json.body.data.warnings).toMatchObject([
    { field: 'suppression', column: 'unsubscribed', value: 'true', rows: 1 },
    { field: 'suppression', column: 'optIn', value: '0', rows: 1 },
    { field: 'consent', column: 'unsubscribed', value: 'false', rows: 1 },
  ])
  expect((await run('email,Plan\nf@example.com,pro\n')).body.data.warnings).toEqual([])
  const list = await run('email\ng@example.com\nh@example.com\n', { name: 'unsubscribed_members_export.csv' })
  expect(list.body.data).toMatchObject({
    mapping: { refusalList: 'unsubscribed_members_export.csv' },
    warnings: [{ field: 'suppression', column: null, value: null, rows: 2, reason: NOT_TAKEN_OVER }],
  })
})

interface Preview {
  recipients: number
  refusedElsewhere: { people: number; imports: { file: string; columns: string[]; people: number }[] }
}

test('a mailing names each import whose columns were not taken over, beside its count', async () => {
  const space = await createImportScenario()
  const { run, client } = space
  const segment = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'All' } })).body.data.id
  const path = `/api/v2/segments/${segment}/import-users`
  const preview = async (id = segment) =>
    (await client<Preview>('POST', `/api/v2/segments/${id}/email/preview`, { json: {} })).body.data
  await run('email\nknown@example.com\n', { path, name: 'clean.csv' })
  expect((await preview()).refusedElsewhere).toEqual({ people: 0, imports: [] })
  const contacts = 'email,Unsubscribed,Bounced\nknown@example.com,yes,\nada@example.com,,yes\nbob@example.com,no,no\n'
  await run(contacts, { path, name: 'contacts.csv' })
  const undone = await run('email,Opt-out\nada@example.com,x\ncem@example.com,x\n', { path, name: 'second.csv' })
  await run('email\ncem@example.com\nbob@example.com\n', { path, name: 'bounces.csv' })
  const before = await client<Preview>('POST', `/api/v2/segments/${segment}/email/preview`, { json: {} })
  expect([before.status, before.cost.roundTrips]).toEqual([200, 1])
  expect(before.body.data).toMatchObject({
    recipients: 4,
    refusedElsewhere: {
      people: 4,
      imports: [
        { file: 'bounces.csv', columns: [], people: 2 },
        { file: 'second.csv', columns: ['Opt-out'], people: 2 },
        { file: 'contacts.csv', columns: ['Unsubscribed', 'Bounced'], people: 2 },
      ],
    },
  })
  await client('POST', '/api/v2/suppressions', { json: { email: 'known@example.com' } })
  await client('POST', `/api/v2/imports/${undone.body.data.id}/undo`)
  expect((await preview()).refusedElsewhere).toMatchObject({
    people: 2,
    imports: [
      { file: 'bounces.csv', people: 1 },
      { file: 'contacts.csv', people: 1 },
    ],
  })
  const rules = { match: 'all', conditions: [{ attribute: 'email', operator: 'eq', value: 'ada@example.com' }] }
  const dynamic = await client<{ id: number }>('POST', '/api/v2/segments', {
    json: { name: 'Ada', type: 'dynamic', rules },
  })
  expect(dynamic.status).toBe(201)
  expect((await preview(dynamic.body.data.id)).refusedElsewhere).toMatchObject({ people: 1 })
  const other = await createWorkspace()
  const elsewhere = await other.client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'All' } })
  const theirs = `/api/v2/segments/${elsewhere.body.data.id}/email/preview`
  expect((await other.client<Preview>('POST', theirs, { json: {} })).body.data.refusedElsewhere.people).toBe(0)
})
