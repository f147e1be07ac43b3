/** Texts of the workspace. A language is a file with the same members. */
export const en = {
  about: 'Workspace',
  name: 'Name',
  number: 'Number',
  usage: 'Usage and limits',
  usageHint: 'The operator of this service sets the limits.',
  usageFailed: 'The usage could not be loaded',
  readAgain: 'Read the usage again',
  used: (used: string, limit: string) => `${used} of ${limit}`,
  percent: (percent: string) => `${percent} used`,
  noLimit: 'No limit',
  full: 'The limit is reached.',
  resets: (moment: string) => `Starts again on ${moment}.`,
  limits: {
    rowsPerDay: {
      title: 'Written rows today',
      beyond:
        'At the limit, the service refuses every change until the next day (UTC). You can still read, revoke keys, and cancel mailings and imports.',
    },
    bytes: {
      title: 'Stored data',
      beyond:
        'At the limit, the service refuses to create, import and upload. Changes and removals go on, so that you can make space.',
    },
    mailingsPerHour: {
      title: 'Mailings this hour',
      beyond: 'At the limit, the service refuses a further mailing until the oldest is an hour ago.',
    },
  },
  perMinute: 'Requests a minute',
  perMinuteHint:
    'Most requests take one unit, a search or an upload five, a bulk operation ten and an export fifty. Beyond a limit the service asks the program to wait; the console does so by itself.',
  limit: 'Limit',
  perMinuteLimits: {
    unitsPerMinute: 'Units of this session, and of each API key',
    workspaceUnitsPerMinute: 'Units of the whole workspace',
    bulkOperationsPerMinute: 'Bulk operations and imports of this session, and of each API key',
  },
  settings: 'Links and browsers',
  settingsFailed: 'The settings could not be loaded',
  readerHint: 'Owners and admins change the settings of the workspace.',
  ideaUrl: 'Address of an idea in mail',
  ideaUrlHint:
    'With {key} or {slug}, such as https://example.com/ideas/{key}. Without an address, mail links to the portal.',
  cors: 'Pages that can call the service from a browser',
  corsHint: 'One origin per line, such as https://app.example.com. Without an origin, only servers can.',
  save: 'Save the settings',
  saved: 'The settings were changed.',
  saveFailed: 'The settings were not changed',
  fields: {
    feedback: 'Moderation',
    cors: 'Pages',
    ideaUrl: 'Address of an idea',
    mailTemplates: 'Texts of mail',
  },
}

export type WorkspaceTexts = typeof en
