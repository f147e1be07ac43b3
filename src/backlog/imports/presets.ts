import { extendPreset, type ImportPreset, ignoreColumns, mapToAttributes } from '../../workspace/imports/kind'
import { githubIssues, gitlabIssues, hubspotTickets, trelloBoard } from '../../workspace/imports/product-presets'
import { OWN_EXPORT_SOURCE } from '../own-export'

const groundworkPreset: ImportPreset = {
  name: 'groundwork',
  product: 'Groundwork',
  isOwnExport: true,
  constants: { externalSource: OWN_EXPORT_SOURCE },
  identifyingColumns: ['type', 'externalKey', 'epicKey', 'featureKey', 'summary', 'createdAt'],
  columns: {
    id: 'externalId',
    scoring: 'scoringInputs',
    team: 'teamName',
    assignees: 'assigneeAddresses',
    blocks: 'linkedItems',
    relates: 'linkedItems',
    duplicates: 'linkedItems',
    epicKey: 'parent',
    featureKey: 'parent',
    ...ignoreColumns('initiativeId', 'epicId', 'featureId', 'status', 'persona', 'teamId', 'userId'),
    ...ignoreColumns('updatedAt'),
  },
}

const mapToField = (field: string, ...columns: readonly string[]): ImportPreset['columns'] =>
  Object.fromEntries(columns.map((column) => [column, field]))

const jiraPreset: ImportPreset = {
  name: 'jira',
  product: 'Jira',
  identifyingColumns: ['Summary', 'Issue key', 'Issue Type'],
  columns: {
    'Issue key': 'jiraKey',
    'Issue id': 'jiraId',
    'Issue Type': 'type',
    Summary: 'summary',
    Description: 'description',
    Status: 'status',
    'Status Category': 'statusCategory',
    'Parent id': 'parent',
    Parent: 'parent',
    'Parent key': 'parent',
    'Custom field (Epic Link)': 'parent',
    Labels: 'tags',
    Created: 'createdAt',
    'Due date': 'endDate',
    'Custom field (Start date)': 'startDate',
    'Custom field (Story Points)': 'storyPoint',
    'Custom field (Story point estimate)': 'storyPoint',
    'Project name': { attribute: 'project' },
    'Component/s': { attribute: 'components' },
    'Fix Version/s': 'solutionVersion',
    'Fix versions': 'solutionVersion',
    Assignee: 'assignee',
    Reporter: 'reporter',
    ...mapToAttributes('Priority', 'Resolution', 'Resolved', 'Sprint', 'Components'),
    ...ignoreColumns('Parent summary', 'Updated', 'Last Viewed'),
    ...ignoreColumns('Project key', 'Project type', 'Project description'),
    ...ignoreColumns('Project url', 'Affects versions', 'Affects Version/s', 'Votes'),
    'Outward issue link': 'linkedItems',
    'Inward issue link': 'linkedItems',
    ...mapToField('jiraPeople', 'Assignee Id', 'Reporter Id', 'Creator', 'Creator Id', 'Watchers', 'Watchers Id'),
    ...mapToField('jiraPeople', 'Project lead', 'Project lead id'),
    Comment: 'jiraComment',
    Attachment: 'urls',
    ...ignoreColumns('Log Work', 'Status Category Changed', 'Work Ratio'),
    ...ignoreColumns('Custom field (Rank)', 'Custom field (Epic Color)', 'Custom field (Epic Name)'),
    ...ignoreColumns('Custom field (Epic Status)'),
  },
}

const linearPreset: ImportPreset = {
  name: 'linear',
  product: 'Linear',
  constants: { externalSource: 'linear', textFormat: 'markdown' },
  identifyingColumns: ['ID', 'Team', 'Title', 'Parent issue'],
  columns: {
    ID: 'externalId',
    Title: 'summary',
    Description: 'description',
    Status: 'status',
    Estimate: 'storyPoint',
    'Parent issue': 'parent',
    Assignee: 'assignee',
    Creator: 'reporter',
    Labels: 'tags',
    'Due Date': 'endDate',
    Started: 'startDate',
    Created: 'createdAt',
    'Cycle Name': { attribute: 'cycle' },
    'Project Milestone': { attribute: 'milestone' },
    ...mapToAttributes('Team', 'Priority', 'Project', 'Completed', 'Canceled', 'Initiatives'),
    ...ignoreColumns('UUID', 'Project ID', 'Cycle Number', 'Cycle Start', 'Cycle End', 'Updated', 'Triaged'),
    ...ignoreColumns('Archived', 'Project Milestone ID', 'SLA Status', 'Roadmaps', 'Time in status (minutes)'),
    'Related to': 'linkedItems',
    'Blocked by': 'linkedItems',
    Blocks: 'linkedItems',
    'Duplicate of': 'linkedItems',
  },
}

const productboardPreset: ImportPreset = {
  name: 'productboard',
  product: 'Productboard',
  constants: { externalSource: 'productboard' },
  identifyingColumns: ['Name', 'Productboard URL'],
  columns: {
    Name: 'summary',
    'Feature name': 'summary',
    Description: 'description',
    Type: 'type',
    Status: 'status',
    Parent: 'parent',
    'Parent name': 'parent',
    Owner: 'assignee',
    Tags: 'tags',
    Effort: 'estimate',
    Value: 'businessValue',
    'Timeframe start': 'startDate',
    'Timeframe end': 'endDate',
    'Productboard URL': 'urls',
    'Customer importance score': { attribute: 'customerImportance' },
    'User impact score': { attribute: 'userImpact' },
    UUID: 'externalId',
    ID: 'externalId',
    ...mapToAttributes('Product', 'Component', 'Release', 'Health'),
  },
}

const trelloPreset = extendPreset(trelloBoard, {
  'Card ID': 'externalId',
  'Card Name': 'summary',
  'Card URL': 'urls',
  'Attachment Links': 'urls',
  Members: 'cardMembers',
  'Start Date': 'startDate',
  'Due Date': 'endDate',
})

/** Cards with the name of their list, as add-ons of Trello write the cards. */
const trelloCardsPreset: ImportPreset = {
  name: 'trello-cards',
  product: 'Trello',
  constants: { externalSource: 'trello' },
  identifyingColumns: ['Name', 'List'],
  columns: { Name: 'summary', Description: 'description', List: 'status', Labels: 'tags', Due: 'endDate' },
}

const asanaPreset: ImportPreset = {
  name: 'asana',
  product: 'Asana',
  constants: { externalSource: 'asana' },
  identifyingColumns: ['Task ID', 'Name', 'Section/Column'],
  columns: {
    'Task ID': 'externalId',
    Name: 'summary',
    Notes: 'description',
    'Section/Column': 'status',
    'Start Date': 'startDate',
    'Due Date': 'endDate',
    Tags: 'tags',
    'Parent task': 'parent',
    Assignee: 'assignee',
    'Assignee Email': 'assignee',
    Projects: { attribute: 'project' },
    'Created At': 'createdAt',
    'Completed At': 'completedAt',
    ...mapToAttributes('Dependencies', 'Blocked By', 'Blocking'),
    ...ignoreColumns('Last Modified'),
  },
}

/** A query with a tree has a column of titles for each level. */
const azureDevOpsPreset: ImportPreset = {
  name: 'azure-devops',
  product: 'Azure DevOps',
  constants: { externalSource: 'azure-devops' },
  identifyingColumns: ['Work Item Type', 'State'],
  columns: {
    ID: 'externalId',
    'Work Item Type': 'type',
    Title: 'summary',
    ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`Title ${n + 1}`, { field: 'summary', level: n + 1 }])),
    State: 'status',
    Description: 'description',
    Parent: 'parent',
    Tags: 'tags',
    Effort: 'storyPoint',
    'Story Points': 'storyPoint',
    Size: 'storyPoint',
    'Remaining Work': 'remainingTime',
    'Business Value': 'businessValue',
    'Start Date': 'startDate',
    'Target Date': 'endDate',
    'Due Date': 'endDate',
    'Finish Date': 'endDate',
    'Assigned To': 'assignee',
    'Created By': 'reporter',
    'Created Date': 'createdAt',
    'Related Work': 'linkedItems',
    ...mapToAttributes('Area Path', 'Iteration Path', 'Priority', 'Severity', 'Reason'),
    ...mapToAttributes('Closed Date', 'Value Area', 'Risk', 'Acceptance Criteria', 'Team Project'),
    ...ignoreColumns('Rev', 'Changed By', 'Changed Date', 'Comment Count', 'Board Column', 'Board Lane', 'Stack Rank'),
    ...ignoreColumns('Backlog Priority', 'State Change Date', 'Node Name'),
  },
}

const githubPreset = extendPreset(githubIssues, {
  number: 'name',
  title: 'summary',
  html_url: 'urls',
  created_at: 'createdAt',
  ...mapToAttributes('author'),
})

/** A view of a project of GitHub, as a file with tabs. The columns depend on the view. */
const githubProjectsPreset: ImportPreset = {
  name: 'github-projects',
  product: 'GitHub Projects',
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

const gitlabPreset = extendPreset(gitlabIssues, {
  'Issue ID': 'name',
  Title: 'summary',
  URL: 'urls',
  'Due Date': 'endDate',
  Weight: 'storyPoint',
  Assignee: 'assignee',
  Author: 'reporter',
  'Created At (UTC)': 'createdAt',
  ...mapToAttributes('Time Estimate', 'Time Spent'),
})

const hubspotPreset = extendPreset(hubspotTickets, {
  'Ticket ID': 'externalId',
  'Record ID': 'externalId',
  'Ticket name': 'summary',
  'Create date': 'createdAt',
  'Associated Contact Email': { attribute: 'contact' },
  'Associated Contact': { attribute: 'contact' },
  ...mapToAttributes('Category'),
})

export const backlogPresets: readonly ImportPreset[] = [
  groundworkPreset,
  jiraPreset,
  linearPreset,
  productboardPreset,
  trelloPreset,
  trelloCardsPreset,
  asanaPreset,
  azureDevOpsPreset,
  githubPreset,
  githubProjectsPreset,
  gitlabPreset,
  hubspotPreset,
]
