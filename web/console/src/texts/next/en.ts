/** Buttons and links of screens without records. */
export const en = {
  import: 'Bring in the first file',
  importIdeas: 'Import ideas',
  importPeople: 'Import people',
  portal: 'Set up the portal and the widget',
  backlog: 'Plan in the backlog',
  release: 'Release a version',
  templates: 'Look at the templates',
  mailings: 'Go to the mailings',
  version: 'Create the first version',
  entry: 'Write the first entry',
  kpi: 'Create the first KPI',
  persona: 'Create the first persona',
  experiment: 'Create the first experiment',
  document: 'Write the first document',
  template: 'Write the first template',
  segment: 'Create the first segment',
  mailing: 'Write the first mailing',
  endpoint: 'Create the first endpoint',
  incoming: 'Create the first webhook',
  team: 'Create the first team',
  key: 'Create the first key',
}

export type NextStepTexts = typeof en
