import type { Audience } from '../requests'

export const en = {
  title: 'Versions',
  list: 'Versions of the product',
  detail: 'Version',
  found: (n: number) => (n === 1 ? '1 version' : `${n.toLocaleString('en')} versions`),
  create: 'New version',
  createVersion: 'Create the version',
  edit: 'Edit',
  editTitle: 'Edit the version',
  save: 'Save the version',
  remove: 'Remove',
  start: 'Start',
  archive: 'Archive',
  takeBack: 'Take the release back',
  openRelease: 'Release…',
  release: 'Release',
  releaseAnyway: 'Release with open items',
  releaseTitle: (name: string) => `Release the version ${name}`,
  wasReleased: (name: string) => `${name} was released.`,
  openItems: 'Some items are not done',
  openItemsHint: 'The version was not released, and nobody was mailed. A release leaves the items as they are.',
  mail: 'Mail to the people who follow linked ideas',
  notifies: {
    later: 'Later: until the mail leaves you can take the release back',
    now: 'Now: the release cannot be taken back',
    none: 'Mail nobody',
  },
  recipients: (n: number, isComplete: boolean) =>
    `${isComplete ? '' : 'At least '}${n === 1 ? '1 person' : `${n.toLocaleString('en')} people`} will be mailed`,
  followers: ({ followers, stopped, suppressed, ideas }: Audience) =>
    [
      `${followers === 1 ? '1 person follows' : `${followers.toLocaleString('en')} people follow`} ${ideas === 1 ? '1 idea' : `${ideas.toLocaleString('en')} ideas`} of the items.`,
      stopped > 0 && `${stopped.toLocaleString('en')} want no mail about releases.`,
      suppressed > 0 && `The address of ${suppressed.toLocaleString('en')} gets no mail.`,
    ]
      .filter(Boolean)
      .join(' '),
  draft: 'Draft a changelog entry',
  backToList: 'Back to the list',
  listFailed: 'The versions could not be loaded',
  loadFailed: 'The version could not be loaded',
  notSaved: 'The version was not changed',
  notRemoved: 'The version was not removed',
  notReleased: 'The version was not released, and nobody was mailed',
  wasRemoved: (key: string) => `${key} was removed.`,
  empty: 'No versions yet',
  emptyHint:
    'A version holds the items that you release together. Create a version, then put items into it with V in the backlog.',
  emptyReadOnly: 'The members of the team create versions.',
  none: 'No version is selected',
  noneHint: 'Choose a version from the list.',
  fields: { name: 'Name', startDate: 'Start', releaseDate: 'Planned release' },
  statuses: { planned: 'Planned', 'in-progress': 'In progress', released: 'Released', archived: 'Archived' },
  startsAt: (date: string) => `Start ${date}`,
  plannedFor: (date: string) => `Planned for ${date}`,
  releasedAt: (date: string) => `Released ${date}`,
  releaseMail: 'See who was mailed in the automatic mailings',
  noDates: 'No dates',
  done: 'Done',
  points: (done: string, total: string) => `${done} of ${total} points`,
  items: (n: number) => (n === 1 ? '1 item' : `${n.toLocaleString('en')} items`),
  itemPoints: (n: string) => `${n} points`,
  noItems: 'No items yet. Add items here, or select items in the backlog and choose Version or press V.',
  noItemsReadOnly: 'No items yet.',
  openBacklog: 'Open the backlog',
  addItems: 'Add items',
  addItemsTo: (name: string) => `Add items to ${name}`,
  findItems: 'Words or a key',
  foundItems: (shown: number, all: number) =>
    all === 0
      ? 'No other item matches.'
      : shown < all
        ? `The first ${shown} of ${all.toLocaleString('en')} items. Type more words to find others.`
        : all === 1
          ? '1 item'
          : `${all} items`,
  takeOut: (key: string) => `Take ${key} out of the version`,
  wasAdded: (key: string, name: string) => `${key} was added to ${name}.`,
  wasTakenOut: (key: string, name: string) => `${key} was taken out of ${name}.`,
  inBacklog: 'Show the items in the backlog',
  keys: {
    next: 'Next version',
    previous: 'Previous version',
    open: 'Go to the version',
    close: 'Close the version',
    create: 'New version',
    edit: 'Edit the version',
    release: 'Release the version',
    remove: 'Remove the version, with undo',
  },
}

export type VersionTexts = typeof en
