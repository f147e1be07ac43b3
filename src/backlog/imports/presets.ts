import { type ImportPreset, ignoreColumns, mapToAttributes } from '../../workspace/imports/kind'

const groundworkPreset: ImportPreset = {
  name: 'groundwork',
  isOwnExport: true,
  identifyingColumns: ['type', 'externalKey', 'epicKey', 'featureKey', 'summary', 'createdAt'],
  columns: {
    epicKey: 'parent',
    featureKey: 'parent',
    ...ignoreColumns('id', 'initiativeId', 'epicId', 'featureId', 'status', 'persona', 'teamId', 'userId', 'createdAt'),
    ...ignoreColumns('updatedAt', 'scoring'),
  },
}

/** Columns like `Labels` repeat up to the maximum of an issue. */
const jiraPreset: ImportPreset = {
  name: 'jira',
  identifyingColumns: ['Summary', 'Issue key', 'Issue Type'],
  repeats: true,
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
    'Due date': 'endDate',
    'Custom field (Start date)': 'startDate',
    'Custom field (Story Points)': 'storyPoint',
    'Custom field (Story point estimate)': 'storyPoint',
    'Project name': { attribute: 'project' },
    'Component/s': { attribute: 'components' },
    'Fix Version/s': { attribute: 'fixVersions' },
    ...mapToAttributes('Priority', 'Resolution', 'Assignee', 'Reporter', 'Created', 'Resolved', 'Sprint', 'Components'),
    ...mapToAttributes('Fix versions'),
    ...ignoreColumns('Parent summary', 'Assignee Id', 'Reporter Id', 'Creator', 'Creator Id', 'Updated', 'Last Viewed'),
    ...ignoreColumns('Project key', 'Project type', 'Project lead', 'Project lead id', 'Project description'),
    ...ignoreColumns('Project url', 'Affects versions', 'Affects Version/s', 'Votes', 'Watchers', 'Watchers Id'),
    Comment: 'jiraComment',
    Attachment: 'urls',
    ...ignoreColumns('Log Work', 'Status Category Changed', 'Work Ratio'),
    ...ignoreColumns('Custom field (Rank)', 'Custom field (Epic Color)', 'Custom field (Epic Name)'),
    ...ignoreColumns('Custom field (Epic Status)'),
  },
}

const linearPreset: ImportPreset = {
  name: 'linear',
  constants: { externalSource: 'linear' },
  identifyingColumns: ['ID', 'Team', 'Title', 'Parent issue'],
  columns: {
    ID: 'externalId',
    Title: 'summary',
    Description: 'description',
    Status: 'status',
    Estimate: 'storyPoint',
    'Parent issue': 'parent',
    Labels: 'tags',
    'Due Date': 'endDate',
    Started: 'startDate',
    'Cycle Name': { attribute: 'cycle' },
    'Project Milestone': { attribute: 'milestone' },
    ...mapToAttributes('Team', 'Priority', 'Project', 'Assignee', 'Created', 'Completed', 'Canceled', 'Initiatives'),
    ...ignoreColumns('UUID', 'Project ID', 'Creator', 'Cycle Number', 'Cycle Start', 'Cycle End', 'Updated', 'Triaged'),
    ...ignoreColumns('Archived', 'Project Milestone ID', 'SLA Status', 'Roadmaps', 'Time in status (minutes)'),
    ...ignoreColumns('Related to', 'Blocked by', 'Duplicate of'),
  },
}

const productboardPreset: ImportPreset = {
  name: 'productboard',
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
    ...mapToAttributes('Owner', 'Product', 'Component', 'Release', 'Health'),
  },
}

const trelloPreset: ImportPreset = {
  name: 'trello',
  constants: { externalSource: 'trello' },
  identifyingColumns: ['Card ID', 'Card Name', 'List Name'],
  columns: {
    'Card ID': 'externalId',
    'Card Name': 'summary',
    'Card URL': 'urls',
    'Card Description': 'description',
    'List Name': 'status',
    Labels: 'tags',
    'Start Date': 'startDate',
    'Due Date': 'endDate',
    Members: { attribute: 'members' },
    'Vote Count': { attribute: 'votes' },
    'Board Name': { attribute: 'board' },
    'Attachment Links': 'urls',
    Comments: 'comments',
    ...mapToAttributes('Archived'),
    ...ignoreColumns('Attachment Count', 'Checklist Item Total Count', 'Checklist Item Completed Count'),
    ...ignoreColumns('Comment Count', 'Last Activity Date', 'List ID', 'Board ID', 'Due Complete', 'Due Reminder'),
  },
}

/** Cards with the name of their list, as add-ons of Trello write the cards. */
const trelloCardsPreset: ImportPreset = {
  name: 'trello-cards',
  constants: { externalSource: 'trello' },
  identifyingColumns: ['Name', 'List'],
  columns: { Name: 'summary', Description: 'description', List: 'status', Labels: 'tags', Due: 'endDate' },
}

const asanaPreset: ImportPreset = {
  name: 'asana',
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
    Projects: { attribute: 'project' },
    ...mapToAttributes('Assignee', 'Created At', 'Completed At', 'Dependencies', 'Blocked By', 'Blocking'),
    ...ignoreColumns('Last Modified', 'Assignee Email'),
  },
}

/** A query with a tree has a column of titles for each level. */
const azureDevOpsPreset: ImportPreset = {
  name: 'azure-devops',
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
    ...mapToAttributes('Area Path', 'Iteration Path', 'Priority', 'Severity', 'Assigned To', 'Created By', 'Reason'),
    ...mapToAttributes('Created Date', 'Closed Date', 'Value Area', 'Risk', 'Acceptance Criteria', 'Team Project'),
    ...ignoreColumns('Rev', 'Changed By', 'Changed Date', 'Comment Count', 'Board Column', 'Board Lane', 'Stack Rank'),
    ...ignoreColumns('Backlog Priority', 'State Change Date', 'Node Name'),
  },
}

/** GitHub's JSON of issues, in the flat form that the reader of files gives the issues. */
const githubPreset: ImportPreset = {
  name: 'github',
  constants: { externalSource: 'github' },
  identifyingColumns: ['number', 'title', 'html_url'],
  columns: {
    number: 'name',
    title: 'summary',
    body: 'description',
    state: 'status',
    labels: 'tags',
    html_url: 'urls',
    comments: 'comments',
    ...mapToAttributes('state_reason', 'milestone', 'assignees', 'author', 'created_at', 'closed_at'),
  },
}

const gitlabPreset: ImportPreset = {
  name: 'gitlab',
  constants: { externalSource: 'gitlab' },
  identifyingColumns: ['Issue ID', 'Title', 'State', 'URL'],
  columns: {
    'Issue ID': 'name',
    Title: 'summary',
    Description: 'description',
    State: 'status',
    Labels: 'tags',
    URL: 'urls',
    'Due Date': 'endDate',
    Weight: 'storyPoint',
    'Epic Title': { attribute: 'epic' },
    'Created At (UTC)': { attribute: 'created' },
    'Closed At (UTC)': { attribute: 'closed' },
    ...mapToAttributes('Author', 'Assignee', 'Milestone', 'Confidential', 'Time Estimate', 'Time Spent'),
    ...ignoreColumns('Author Username', 'Assignee Username', 'Locked', 'Updated At (UTC)', 'Epic ID'),
  },
}

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
  gitlabPreset,
]
