// Examples from the documentation of each system, without the fields that the service ignores.

/** GitHub, event `issues`. */
export const GITHUB_ISSUE = {
  action: 'opened',
  issue: {
    url: 'https://api.github.com/repos/Codertocat/Hello-World/issues/1',
    html_url: 'https://github.com/Codertocat/Hello-World/issues/1',
    id: 444500041,
    node_id: 'MDU6SXNzdWU0NDQ1MDAwNDE=',
    number: 1,
    title: 'Spelling error in the README file',
    user: { login: 'Codertocat', id: 21031067, type: 'User', site_admin: false },
    labels: [{ id: 1362934389, name: 'bug', color: 'd73a4a', default: true }],
    state: 'open',
    locked: false,
    assignee: null,
    comments: 0,
    created_at: '2019-05-15T15:20:18Z',
    updated_at: '2019-05-15T15:20:18Z',
    closed_at: null,
    body: 'It looks like you accidently spelled "commit" with two \'t\'s.\n\nSee <README> & fix.',
  },
  repository: { id: 186853002, name: 'Hello-World', full_name: 'Codertocat/Hello-World', private: false },
  sender: { login: 'Codertocat', id: 21031067 },
}

/** GitHub, event `push`. */
export const GITHUB_PUSH = {
  ref: 'refs/heads/main',
  before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
  after: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
  created: false,
  deleted: false,
  forced: false,
  commits: [
    { id: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c', message: 'Update README.md', added: [], modified: ['README.md'] },
  ],
  head_commit: {
    id: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
    message: 'Update README.md',
    timestamp: '2019-05-15T11:20:41-04:00',
    author: { name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com' },
  },
  repository: { id: 186853002, name: 'Hello-World', full_name: 'Codertocat/Hello-World' },
  pusher: { name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com' },
}

/** GitLab, `Issue Hook`. */
export const GITLAB_ISSUE = {
  object_kind: 'issue',
  event_type: 'issue',
  user: { id: 1, name: 'Administrator', username: 'root', email: 'admin@example.com' },
  project: { id: 1, name: 'Gitlab Test', web_url: 'http://example.com/gitlabhq/gitlab-test' },
  object_attributes: {
    id: 301,
    title: 'New API: create/update/delete file',
    assignee_ids: [51],
    author_id: 51,
    project_id: 14,
    created_at: '2013-12-03T17:15:43Z',
    updated_at: '2013-12-03T17:15:43Z',
    description: 'Create new API for manipulations with repository',
    state: 'opened',
    iid: 23,
    url: 'http://example.com/diaspora/issues/23',
    action: 'open',
    labels: [{ id: 206, title: 'API', color: '#ffffff' }],
  },
}

/** Jira, `jira:issue_updated`. */
export const JIRA_ISSUE = {
  timestamp: 1606480436302,
  webhookEvent: 'jira:issue_updated',
  issue_event_type_name: 'issue_generic',
  user: { accountId: '99:27935d01-92a7-4687-8272-a9b8d3b2ae2e', displayName: 'Bryan Rollins', active: true },
  issue: {
    id: '99291',
    self: 'https://jira.atlassian.com/rest/api/2/issue/99291',
    key: 'JRA-20002',
    fields: {
      summary: 'I feel the need for speed',
      created: '2009-12-16T23:46:10.612-0600',
      description: 'Make the issue nav load 10x faster',
      labels: ['UI', 'dialogue', 'move'],
      priority: { name: 'Minor', id: '4' },
      status: { name: 'In Progress', id: '3', statusCategory: { id: 4, key: 'indeterminate', name: 'In Progress' } },
    },
  },
  changelog: {
    items: [
      { field: 'summary', fieldtype: 'jira', fromString: 'What is going on here?????', toString: 'A new summary.' },
    ],
    id: 10124,
  },
}

/** GitHub, event `issue_comment`. */
export const GITHUB_COMMENT = {
  ...{ action: 'created', issue: GITHUB_ISSUE.issue },
  comment: {
    url: 'https://api.github.com/repos/Codertocat/Hello-World/issues/comments/492700400',
    html_url: 'https://github.com/Codertocat/Hello-World/issues/1#issuecomment-492700400',
    issue_url: 'https://api.github.com/repos/Codertocat/Hello-World/issues/1',
    id: 492700400,
    node_id: 'MDEyOklzc3VlQ29tbWVudDQ5MjcwMDQwMA==',
    user: { login: 'Codertocat', id: 21031067, type: 'User', site_admin: false },
    created_at: '2019-05-15T15:20:21Z',
    updated_at: '2019-05-15T15:20:21Z',
    author_association: 'OWNER',
    body: "You are totally right! I'll get this fixed **right away**.",
  },
  repository: GITHUB_ISSUE.repository,
  sender: GITHUB_ISSUE.sender,
}

/** GitLab, `Note Hook` of an issue. */
export const GITLAB_NOTE = {
  object_kind: 'note',
  event_type: 'note',
  user: { id: 1, name: 'Administrator', username: 'root', email: 'admin@example.com' },
  project_id: 14,
  project: { id: 14, name: 'Diaspora', web_url: 'http://example.com/diaspora' },
  object_attributes: {
    id: 1241,
    internal: false,
    note: 'Hello **world**',
    noteable_type: 'Issue',
    author_id: 51,
    created_at: '2013-12-04 17:06:02 UTC',
    updated_at: '2013-12-04 17:06:02 UTC',
    project_id: 14,
    attachment: null,
    line_code: null,
    commit_id: '',
    noteable_id: 301,
    system: false,
    st_diff: null,
    action: 'create',
    url: 'http://example.com/diaspora/issues/23#note_1241',
  },
  issue: {
    id: 301,
    title: 'New API: create/update/delete file',
    assignee_ids: [],
    author_id: 51,
    project_id: 14,
    created_at: '2013-12-03 17:15:43 UTC',
    updated_at: '2013-12-04 17:06:02 UTC',
    position: 0,
    branch_name: null,
    description: 'Create new API for manipulations with repository',
    milestone_id: null,
    state: 'opened',
    iid: 23,
    labels: [{ id: 206, title: 'API', color: '#ffffff', project_id: 14, type: 'ProjectLabel' }],
  },
}

/** Jira, `comment_created`. */
export const JIRA_COMMENT = {
  timestamp: 1606480500000,
  webhookEvent: 'comment_created',
  comment: {
    self: 'https://jira.atlassian.com/rest/api/2/issue/99291/comment/252789',
    id: '252789',
    author: {
      self: 'https://jira.atlassian.com/rest/api/2/user?username=brollins',
      name: 'brollins',
      emailAddress: 'bryan@example.com',
      displayName: 'Bryan Rollins',
      active: true,
    },
    body: 'Just in time for AtlasCamp!',
    updateAuthor: { name: 'brollins', emailAddress: 'bryan@example.com', displayName: 'Bryan Rollins', active: true },
    created: '2011-06-07T10:31:26.805-0500',
    updated: '2011-06-07T10:31:26.805-0500',
    jsdPublic: true,
  },
  issue: {
    id: '99291',
    self: 'https://jira.atlassian.com/rest/api/2/issue/99291',
    key: 'JRA-20002',
    fields: {
      summary: 'I feel the need for speed',
      issuetype: { name: 'Story', subtask: false },
      priority: { name: 'Minor', id: '4' },
      assignee: null,
      status: { name: 'In Progress', id: '3', statusCategory: { id: 4, key: 'indeterminate', name: 'In Progress' } },
    },
  },
}
