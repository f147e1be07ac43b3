import { expect, test } from 'vitest'
import { REASONS_WITHOUT_REPLY_MAIL } from '../../../src/people/notices/schema'
import { describeReply, type ReplyAudience } from '../../../web/console/src/screens/ideas/reply-mail'
import { de } from '../../../web/console/src/screens/ideas/texts/de'
import { en } from '../../../web/console/src/screens/ideas/texts/en'

const author = { id: 1, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const mailed: ReplyAudience = { author, nobodyBecause: null }

test('the button, the hint and the toast of a reply name the author who is mailed', () => {
  expect(describeReply(en, mailed)).toEqual({
    button: 'Reply and mail the author',
    hint: 'Everybody who can see the idea reads it. Ada Lovelace, the author of the idea, is mailed.',
    toast: 'Ada Lovelace gets mail.',
  })
  expect(describeReply(de, mailed)).toEqual({
    button: 'Antworten und dem Urheber schreiben',
    hint: 'Alle, die die Idee sehen, lesen die Antwort. Eine E-Mail geht an Ada Lovelace (Urheber der Idee).',
    toast: 'Ada Lovelace bekommt eine E-Mail.',
  })
  const nameless = { ...mailed, author: { ...author, firstName: '', lastName: '' } }
  expect(describeReply(en, nameless).toast).toBe('ada@example.com gets mail.')
})

test.each(REASONS_WITHOUT_REPLY_MAIL)('a reply that mails nobody says why: %s', (nobodyBecause) => {
  const [english, german] = [en, de].map((texts) => describeReply(texts, { author: null, nobodyBecause }))
  expect([english?.button, english?.toast]).toEqual(['Reply, mail nobody', 'Nobody gets mail.'])
  expect([german?.button, german?.toast]).toEqual(['Antworten, niemandem schreiben', 'Niemand bekommt eine E-Mail.'])
  expect(english?.hint).toMatch(/^Everybody who can see the idea reads it\. Nobody is mailed: .+\.$/)
  expect(german?.hint).toMatch(/^Alle, die die Idee sehen, lesen die Antwort\. Niemand bekommt eine E-Mail: .+\.$/)
})

test('a reply claims nothing about mail before the service has answered', () => {
  for (const texts of [en, de]) {
    const { button, hint, toast } = describeReply(texts, undefined)
    expect(`${button} ${hint} ${toast}`).not.toMatch(/mail|schreiben/i)
    expect(texts.sent(texts.sentKinds.reply, toast)).toMatch(/\.$/)
  }
})
