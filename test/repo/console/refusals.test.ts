import { expect, test } from 'vitest'
import { listMailWarnings } from '../../../web/console/src/screens/imports/mail-warnings'
import { countUndecided } from '../../../web/console/src/screens/imports/mapping'
import { de as importDe } from '../../../web/console/src/screens/imports/texts/de'
import { en as importEn } from '../../../web/console/src/screens/imports/texts/en'
import { describeRefusals } from '../../../web/console/src/screens/mailings/refusals'
import { de } from '../../../web/console/src/screens/mailings/texts/de'
import { en } from '../../../web/console/src/screens/mailings/texts/en'

const contacts = { importId: 1, file: 'contacts.csv', columns: ['Unsubscribed'], people: 80 }
const cleaned = { importId: 2, file: 'cleaned.csv', columns: [], people: 1 }

test('a mailing names the import of recipients who want no mail', () => {
  const one = { people: 80, imports: [contacts] }
  expect(describeRefusals(en, one)).toEqual([
    '80 of them from the import contacts.csv, whose column "Unsubscribed" was not taken over.',
  ])
  expect(describeRefusals(de, one)).toEqual([
    '80 davon aus dem Import contacts.csv, dessen Spalte „Unsubscribed“ nicht übernommen wurde.',
  ])
  const several = { people: 81, imports: [cleaned, { ...contacts, columns: ['Unsubscribed', 'Bounced'] }] }
  expect(describeRefusals(en, several)).toEqual([
    '81 of them did not want mail elsewhere.',
    '1 of them from the import cleaned.csv, a list of people who get no mail.',
    '80 of them from the import contacts.csv, whose columns "Unsubscribed", "Bounced" were not taken over.',
  ])
  expect(describeRefusals(de, several)).toEqual([
    '81 davon wollten anderswo keine E-Mails.',
    '1 davon aus dem Import cleaned.csv, einer Liste von Personen, die keine Mails bekommen.',
    '80 davon aus dem Import contacts.csv, dessen Spalten „Unsubscribed“, „Bounced“ nicht übernommen wurden.',
  ])
  for (const texts of [en, de]) expect(describeRefusals(texts, { people: 0, imports: [] })).toEqual([])
})

test('the wizard lists the columns that reach people who want no mail, and asks for no decision about them', () => {
  const about = { became: null, reason: '' }
  const warnings = [
    { ...about, field: 'suppression', column: 'Unsubscribed', value: 'true', rows: 3 },
    { ...about, field: 'suppression', column: 'UNSUB_TIME', value: null, rows: 1 },
    { ...about, field: 'suppression', column: null, value: null, rows: 4 },
    { ...about, field: 'consent', column: 'Unsubscribed', value: 'false', rows: 9 },
  ]
  expect(listMailWarnings(importEn, warnings)).toEqual([
    'Column "Unsubscribed", value "true": 3 rows',
    'Column "UNSUB_TIME": 1 row',
    'The name of the file says so: 4 rows',
  ])
  expect(listMailWarnings(importDe, warnings)).toEqual([
    'Spalte „Unsubscribed“, Wert „true“: 3 Zeilen',
    'Spalte „UNSUB_TIME“: 1 Zeile',
    'Der Name der Datei sagt es: 4 Zeilen',
  ])
  expect(countUndecided(warnings)).toBe(0)
  expect(countUndecided([{ ...about, field: 'role', column: 'Role', value: 'boss', rows: 1 }])).toBe(1)
})
