/** Names of the products whose files the service knows, by the preset. */
const NAMES: Readonly<Record<string, string>> = {
  asana: 'Asana',
  'azure-devops': 'Azure DevOps',
  canny: 'Canny',
  fider: 'Fider',
  github: 'GitHub',
  'github-projects': 'GitHub Projects',
  gitlab: 'GitLab',
  groundwork: 'Groundwork',
  hubspot: 'HubSpot',
  intercom: 'Intercom',
  jira: 'Jira',
  linear: 'Linear',
  mailchimp: 'Mailchimp',
  productboard: 'Productboard',
  trello: 'Trello',
  'trello-cards': 'Trello',
  uservoice: 'UserVoice',
  'uservoice-analysis': 'UserVoice',
}

export const nameOfPreset = (preset: string): string => NAMES[preset] ?? preset
