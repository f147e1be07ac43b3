/** Texts of the page about mail. A language is a file with the same members. */
export const en = {
  hint: 'The service mails people about changes of their ideas. An empty field keeps the text of the service.',
  readerHint: 'Owners and admins change the texts of mail.',
  loadFailed: 'The texts could not be loaded',
  saveFailed: 'The texts were not changed',
  saved: 'The texts were changed.',
  save: 'Save the texts',
  kind: 'Mail about',
  kinds: {
    greeting: 'Greeting of every mail',
    status: 'A new status of an idea',
    release: 'A released version',
    reply: 'A reply of the team',
    changelog: 'A published changelog entry',
    mention: 'A mention in a comment',
    assignment: 'An assigned work item',
    idea: 'Lines below the news about an idea',
    digest: 'Several news in one mail',
  },
  fields: { named: 'For people with a first name', unnamed: 'For everybody else', subject: 'Subject', text: 'Text' },
  variables:
    'Variables such as {{title}} and {{url}} stand for the values of a mail. The service names the variables of a text if you use another.',
  preview: 'Preview',
  previewFailed: 'The preview could not be made',
  ofService: 'Text of the service',
}

export type MailTexts = typeof en
