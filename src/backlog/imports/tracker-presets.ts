import { type ImportPreset, ignoreColumns, mapToAttributes } from '../../workspace/imports/kind'

/** A view of a project of GitHub, as a file with tabs. The columns depend on the view. */
export const githubProjectsPreset: ImportPreset = {
  name: 'github-projects',
  constants: { externalSource: 'github' },
  identifyingColumns: ['Title', 'URL', 'Assignees', 'Status'],
  columns: {
    Title: 'summary',
    URL: 'urls',
    Status: 'status',
    Type: 'type',
    Labels: 'tags',
    Estimate: 'storyPoint',
    'Start date': 'startDate',
    'Target date': 'endDate',
    'End date': 'endDate',
    ...mapToAttributes('Assignees', 'Milestone', 'Repository', 'Priority', 'Size', 'Iteration', 'Parent issue'),
    ...mapToAttributes('Linked pull requests', 'Reviewers'),
    ...ignoreColumns('Sub-issues progress'),
  },
}

export const hubspotPreset: ImportPreset = {
  name: 'hubspot',
  constants: { externalSource: 'hubspot' },
  identifyingColumns: [['Ticket ID', 'Record ID'], 'Ticket name'],
  columns: {
    'Ticket ID': 'externalId',
    'Record ID': 'externalId',
    'Ticket name': 'summary',
    'Ticket description': 'description',
    'Ticket status': 'status',
    'Ticket priority': { attribute: 'priority' },
    'Ticket owner': { attribute: 'owner' },
    'Ticket source': { attribute: 'source' },
    'Create date': { attribute: 'created' },
    'Close date': { attribute: 'closed' },
    'Associated Contact Email': { attribute: 'contact' },
    'Associated Contact': { attribute: 'contact' },
    'Associated Company': { attribute: 'company' },
    'Associated Company Domain': { attribute: 'company' },
    ...mapToAttributes('Priority', 'Source', 'Pipeline', 'Category'),
    ...ignoreColumns('Last activity date', 'Last modified date', 'Associated Contact IDs', 'Associated Company IDs'),
  },
}
