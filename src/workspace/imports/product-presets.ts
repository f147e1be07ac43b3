import { type ImportPreset, ignoreColumns, mapToAttributes } from './kind'

// Files of these products become items or ideas. A kind adds the columns whose fields have names of its own.

export const hubspotTickets: ImportPreset = {
  name: 'hubspot',
  product: 'HubSpot',
  constants: { externalSource: 'hubspot' },
  identifyingColumns: [['Ticket ID', 'Record ID'], 'Ticket name'],
  columns: {
    'Ticket description': 'description',
    'Ticket status': 'status',
    'Ticket priority': { attribute: 'priority' },
    'Ticket owner': { attribute: 'owner' },
    'Ticket source': { attribute: 'source' },
    'Close date': { attribute: 'closed' },
    'Associated Company': { attribute: 'company' },
    'Associated Company Domain': { attribute: 'company' },
    ...mapToAttributes('Priority', 'Source', 'Pipeline'),
    ...ignoreColumns('Last activity date', 'Last modified date', 'Associated Contact IDs', 'Associated Company IDs'),
  },
}

export const trelloBoard: ImportPreset = {
  name: 'trello',
  product: 'Trello',
  constants: { externalSource: 'trello', textFormat: 'markdown' },
  identifyingColumns: ['Card ID', 'Card Name', 'List Name'],
  columns: {
    'Card Description': 'description',
    'List Name': 'status',
    Labels: 'tags',
    Comments: 'comments',
    'Vote Count': { attribute: 'votes' },
    'Board Name': { attribute: 'board' },
    ...mapToAttributes('Members', 'Archived'),
    ...ignoreColumns('Attachment Count', 'Checklist Item Total Count', 'Checklist Item Completed Count'),
    ...ignoreColumns('Comment Count', 'Last Activity Date', 'List ID', 'Board ID', 'Due Complete', 'Due Reminder'),
  },
}

/** GitHub's JSON of issues, in the flat form that the reader of files gives the issues. */
export const githubIssues: ImportPreset = {
  name: 'github',
  product: 'GitHub',
  constants: { externalSource: 'github', textFormat: 'markdown' },
  identifyingColumns: ['number', 'title', 'html_url'],
  columns: {
    body: 'description',
    state: 'status',
    labels: 'tags',
    comments: 'comments',
    ...mapToAttributes('state_reason', 'milestone', 'assignees', 'closed_at'),
  },
}

export const gitlabIssues: ImportPreset = {
  name: 'gitlab',
  product: 'GitLab',
  constants: { externalSource: 'gitlab', textFormat: 'markdown' },
  identifyingColumns: ['Issue ID', 'Title', 'State', 'URL'],
  columns: {
    Description: 'description',
    State: 'status',
    Labels: 'tags',
    'Epic Title': { attribute: 'epic' },
    'Closed At (UTC)': { attribute: 'closed' },
    ...mapToAttributes('Milestone', 'Confidential'),
    ...ignoreColumns('Author Username', 'Assignee Username', 'Locked', 'Updated At (UTC)', 'Epic ID'),
  },
}
