import { type ImportPreset, ignoreColumns, mapToAttributes } from '../../../workspace/imports/kind'

const hubspotPreset: ImportPreset = {
  name: 'hubspot',
  constants: { externalSource: 'hubspot' },
  identifyingColumns: [['Ticket ID', 'Record ID'], 'Ticket name'],
  columns: {
    'Ticket ID': 'name',
    'Record ID': 'name',
    'Ticket name': 'title',
    'Ticket description': 'description',
    'Ticket status': 'status',
    'Ticket priority': { attribute: 'priority' },
    'Ticket owner': { attribute: 'owner' },
    'Ticket source': { attribute: 'source' },
    'Create date': 'createdAt',
    'Close date': { attribute: 'closed' },
    'Associated Contact Email': 'author',
    'Associated Contact': 'authorName',
    'Associated Company': { attribute: 'company' },
    'Associated Company Domain': { attribute: 'company' },
    Category: 'category',
    ...mapToAttributes('Priority', 'Source', 'Pipeline'),
    ...ignoreColumns('Last activity date', 'Last modified date', 'Associated Contact IDs', 'Associated Company IDs'),
  },
}

/** Notes of customers. */
const productboardPreset: ImportPreset = {
  name: 'productboard',
  constants: { externalSource: 'productboard' },
  identifyingColumns: ['note_title', 'note_text'],
  columns: {
    note_title: 'title',
    note_text: 'description',
    note_id: 'name',
    UUID: 'name',
    display_url: { attribute: 'url' },
    source_url: { attribute: 'url' },
    user_email: 'author',
    user_name: 'authorName',
    owner_email: { attribute: 'owner' },
    company_domain: { attribute: 'company' },
    company_name: { attribute: 'company' },
    tags: 'tags',
    created_at: 'createdAt',
    ...mapToAttributes('source', 'state', 'owner'),
    ...ignoreColumns('updated_at'),
  },
}

/** Cards of a board where people post their ideas. */
const trelloPreset: ImportPreset = {
  name: 'trello',
  constants: { externalSource: 'trello' },
  identifyingColumns: ['Card ID', 'Card Name', 'List Name'],
  columns: {
    'Card ID': 'name',
    'Card Name': 'title',
    'Card Description': 'description',
    'Card URL': { attribute: 'url' },
    'List Name': 'status',
    Labels: 'tags',
    'Vote Count': { attribute: 'votes' },
    'Board Name': { attribute: 'board' },
    'Attachment Links': { attribute: 'attachments' },
    Comments: 'comments',
    ...mapToAttributes('Members', 'Archived', 'Start Date', 'Due Date'),
    ...ignoreColumns('Attachment Count', 'Checklist Item Total Count', 'Checklist Item Completed Count'),
    ...ignoreColumns('Comment Count', 'Last Activity Date', 'List ID', 'Board ID', 'Due Complete', 'Due Reminder'),
  },
}

const githubPreset: ImportPreset = {
  name: 'github',
  constants: { externalSource: 'github' },
  identifyingColumns: ['number', 'title', 'html_url'],
  columns: {
    number: { attribute: 'number' },
    html_url: 'name',
    title: 'title',
    body: 'description',
    state: 'status',
    labels: 'tags',
    author: 'authorName',
    created_at: 'createdAt',
    comments: 'comments',
    ...mapToAttributes('state_reason', 'milestone', 'assignees', 'closed_at'),
  },
}

const gitlabPreset: ImportPreset = {
  name: 'gitlab',
  constants: { externalSource: 'gitlab' },
  identifyingColumns: ['Issue ID', 'Title', 'State', 'URL'],
  columns: {
    'Issue ID': { attribute: 'number' },
    URL: 'name',
    Title: 'title',
    Description: 'description',
    State: 'status',
    Labels: 'tags',
    Author: 'authorName',
    'Created At (UTC)': 'createdAt',
    'Closed At (UTC)': { attribute: 'closed' },
    'Epic Title': { attribute: 'epic' },
    ...mapToAttributes('Assignee', 'Milestone', 'Confidential', 'Weight', 'Due Date'),
    ...ignoreColumns('Author Username', 'Assignee Username', 'Locked', 'Updated At (UTC)', 'Epic ID'),
    ...ignoreColumns('Time Estimate', 'Time Spent'),
  },
}

/** Products whose tickets, notes, cards or issues can be ideas. */
export const trackerPresets: readonly ImportPreset[] = [
  hubspotPreset,
  productboardPreset,
  trelloPreset,
  githubPreset,
  gitlabPreset,
]
