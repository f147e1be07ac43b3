/** What each mail to a person says: its day and hour, its subject, and its news. */
export type Mail = readonly [time: string, subject: string, ...news: string[]]

export interface ExpectedMails {
  /** The steps are further apart than the delay of mail. */
  apart: readonly Mail[]
  /** All steps happen within the delay. */
  together: readonly Mail[]
}

const NOBODY: ExpectedMails = { apart: [], together: [] }
const RELEASED = 'Spring is released'
const released = (...ideas: string[]) => ideas.map((idea) => `Spring: ${idea}`)

const follows = (idea: string): ExpectedMails => ({
  apart: [
    ['Tue 11', `${idea}: planned`, `${idea} planned`],
    ['Tue 13', `${idea}: completed`, `${idea} completed`],
    ['Tue 15', RELEASED, ...released(idea)],
  ],
  together: [['Tue 11', RELEASED, `${idea} completed`, ...released(idea)]],
})
const ALPHA = follows('Alpha')
const BETA = follows('Beta')
// News about the idea that changed last comes first.
const BOTH: ExpectedMails = {
  apart: [
    ['Tue 11', 'News about 2 items', 'Beta planned', 'Alpha planned'],
    ['Tue 13', 'News about 2 items', 'Beta completed', 'Alpha completed'],
    ['Tue 15', RELEASED, ...released('Beta', 'Alpha')],
  ],
  together: [['Tue 11', RELEASED, 'Beta completed', 'Spring: Beta', 'Alpha completed', 'Spring: Alpha']],
}
const scheduled = (time: string): ExpectedMails => {
  const mails: Mail[] = [[time, RELEASED, 'Alpha completed', 'Spring: Alpha']]
  return { apart: mails, together: mails }
}

export interface Group {
  size: number
  mails: ExpectedMails
}

/** Two hundred people. */
export const GROUPS = {
  'imported voter of Alpha': { size: 24, mails: ALPHA },
  'imported voter of both': { size: 10, mails: BOTH },
  'imported voter against Alpha': { size: 4, mails: NOBODY },
  'imported follower of Beta': { size: 8, mails: BETA },
  'imported commenter on Alpha': { size: 8, mails: ALPHA },
  'imported private commenter on Alpha': { size: 3, mails: NOBODY },
  'voter of Alpha': { size: 16, mails: ALPHA },
  'voter of Beta': { size: 16, mails: BETA },
  'voter of both': { size: 10, mails: BOTH },
  'voter of the merged idea': { size: 12, mails: ALPHA },
  'voter of the merged idea and of its target': { size: 8, mails: ALPHA },
  'imported commenter on the merged idea': { size: 4, mails: ALPHA },
  'author of the merged idea': { size: 1, mails: ALPHA },
  'author of Alpha': { size: 1, mails: ALPHA },
  'anonymous author of Beta': { size: 1, mails: NOBODY },
  'voter against Alpha': { size: 5, mails: NOBODY },
  'voter who changed sides': { size: 3, mails: NOBODY },
  'voter who withdrew the vote': { size: 3, mails: NOBODY },
  'voter against Alpha who subscribed': { size: 3, mails: ALPHA },
  'subscriber of Alpha': { size: 6, mails: ALPHA },
  'suppressed voter': { size: 8, mails: NOBODY },
  'voter who unsubscribed from all mail': { size: 5, mails: NOBODY },
  'voter without mail about a status': {
    size: 6,
    mails: {
      apart: [['Tue 15', RELEASED, ...released('Alpha')]],
      together: [['Tue 11', RELEASED, ...released('Alpha')]],
    },
  },
  'voter without mail about a release': {
    size: 6,
    mails: { apart: ALPHA.apart.slice(0, 2), together: [['Tue 11', 'Alpha: completed', 'Alpha completed']] },
  },
  'voter without mail of any kind': { size: 4, mails: NOBODY },
  'voter of both who left Alpha': { size: 5, mails: BETA },
  'voter with a daily mail': { size: 4, mails: scheduled('Wed 06') },
  'voter with a weekly mail': { size: 3, mails: scheduled('Mon 06') },
  'colleague who commented on Alpha': { size: 3, mails: ALPHA },
  'colleague who commented privately': { size: 2, mails: NOBODY },
  'removed voter': { size: 2, mails: NOBODY },
  'voter of another idea': { size: 5, mails: NOBODY },
  'voter after the release': { size: 1, mails: NOBODY },
} satisfies Record<string, Group>

export type GroupName = keyof typeof GROUPS
