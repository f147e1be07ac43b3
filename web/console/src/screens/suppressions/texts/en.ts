const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export const en = {
  title: 'Suppressions',
  intro:
    'These addresses get no mail of a segment, or no mail at all. Tests and sign-in codes always arrive. A suppression stays when the person is removed.',
  noRole: 'Your role cannot see suppressions. A member, an admin or an owner can.',
  add: 'Add a suppression',
  search: 'Address',
  searchHint: 'The whole address',
  find: 'Find',
  reasonFilter: 'Reason',
  allReasons: 'All reasons',
  clear: 'Clear filters',
  found: (n: number, hasMore: boolean) => (hasMore ? `The first ${n}` : count(n, 'suppression', 'suppressions')),
  listFailed: 'The suppressions could not be loaded',
  empty: 'No suppressions yet',
  emptyHint: 'People who unsubscribe, addresses that bounce, and complaints appear here on their own.',
  noMatch: 'No suppression matches these filters.',
  noMatchHint: 'The search needs the whole address, such as ada@example.com.',
  address: 'Address',
  stops: 'Stops',
  reason: 'Reason',
  source: 'Source',
  since: 'Since',
  actions: 'Actions',
  allMail: 'All mail',
  mailOf: (segment: string) => `Mail of ${segment}`,
  removedSegment: 'a removed segment',
  reasons: {
    unsubscribe: 'Unsubscribed',
    hard_bounce: 'Bounced',
    complaint: 'Complained',
    manual: 'Stopped by hand',
  },
  sources: {
    unsubscribe: 'The link in a mail',
    hard_bounce: 'Your mail provider: the mailbox does not exist',
    complaint: 'Your mail provider: reported as spam',
    manual: 'Your team or an API key',
  },
  remove: (email: string) => `Allow mail to ${email}`,
  removeShort: 'Allow mail',
  removeTitle: (email: string) => `Allow mail to ${email} again?`,
  removeMeans: (scope: string) =>
    `The address gets the next mail again. It stops: ${scope.toLowerCase()}. You cannot restore the suppression: you would add it again by hand.`,
  removeWarnings: {
    unsubscribe: 'The person unsubscribed. Write again only if the person has asked you to.',
    hard_bounce:
      'The mailbox did not exist. If it still does not, the mail bounces, and too many bounces make providers refuse your mail.',
    complaint:
      'The person reported your mail as spam. Another complaint can make providers refuse your mail. Ask the person first.',
    manual: 'Somebody of your team stopped the mail. Find out why before you allow it.',
  },
  removeAction: 'Allow mail again',
  notRemoved: 'The suppression was not removed. The address still gets no mail',
  wasRemoved: (email: string) => `${email} may get mail again.`,
  email: 'Address',
  scope: 'What stops',
  scopeHint: 'The address need not belong to a member.',
  addMeansAll: 'No mailing, invitation or news of this workspace goes to the address any more.',
  addMeansSegment: (segment: string) => `Mailings to ${segment} leave the address out. Other mail still arrives.`,
  addAction: 'Stop the mail',
  notAdded: 'The suppression was not saved. The address still gets mail',
  wasAdded: (email: string) => `${email} gets no more of this mail.`,
}

export type SuppressionTexts = typeof en
