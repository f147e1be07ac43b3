/** Files with the columns and the habits of the products that wrote them. */
export interface ProductFile {
  kind: 'backlog' | 'feedback' | 'people'
  preset: string
  name: string
  content: string
  rows: number
  /** Members of the first record of the preview. */
  first: object
}

const lines = (...all: string[]) => `${all.join('\n')}\n`

const TRELLO_BOARD = JSON.stringify({
  ...{ id: '5515abf65636b7b12144d6a9', name: 'Shop', idOrganization: null },
  actions: [{ type: 'commentCard', data: { card: { id: 'c1' }, text: 'Yes' }, date: '2026-01-02T00:00:00.000Z' }],
  cards: [
    {
      ...{ id: 'c1', idList: 'l1', name: 'Pay', desc: 'Text', closed: false, pos: 1, idMembers: [], due: null },
      ...{ labels: [{ name: 'ui' }], shortUrl: 'https://trello.com/c/c1', badges: { votes: 3 } },
    },
  ],
  lists: [{ id: 'l1', name: 'Doing', closed: false, pos: 1 }],
})

const GITHUB_ISSUES = JSON.stringify([
  {
    ...{ number: 7, title: 'Slow', body: 'Text', state: 'closed', labels: [{ name: 'bug' }], comments: 1 },
    ...{ html_url: 'https://github.com/o/r/issues/7', user: { login: 'ada' }, created_at: '2026-01-01T00:00:00Z' },
  },
])

const GITLAB_ISSUES = lines(
  'Issue ID,URL,Title,State,Description,Author,Author Username,Assignee,Assignee Username,Confidential,Locked,Due Date,Created At (UTC),Updated At (UTC),Closed At (UTC),Milestone,Weight,Labels,Time Estimate,Time Spent,Epic ID,Epic Title',
  '4,https://gitlab.com/o/r/-/issues/4,Slow,Closed,Text,Ada,ada,,,No,No,,2026-01-01 10:00:00,2026-01-02 10:00:00,,v1,5,"ui,web",0,0,,',
)

const HUBSPOT_TICKETS = lines(
  'Ticket ID,Ticket Name,Ticket Description,Ticket Status,Pipeline,Ticket Priority,Create Date,Last Activity Date,Close Date,Ticket Owner,Ticket Source,Associated Company Domain,Associated Contact Email',
  'T-1,Broken,Text,Closed,Support Pipeline,High,2026-01-01,2026-01-02,2026-01-03,ann@example.com,Email,acme.example,ada@example.com',
)

export const PRODUCT_FILES: readonly ProductFile[] = [
  {
    ...{ kind: 'backlog', preset: 'jira', name: 'jira.csv', rows: 2 },
    content: lines(
      'Summary,Issue key,Issue id,Issue Type,Status,Project key,Project name,Priority,Assignee,Assignee Id,Reporter,Created,Updated,Due date,Votes,Labels,Labels,Description,Watchers,Watchers,Sprint,Custom field (Story Points),Parent,Comment,Attachment,Status Category',
      'Checkout,ACME-1,10001,Epic,In Review,ACME,Shop,High,ann,712020:1,ann,03/Sep/26 9:05 AM,03/Sep/26 9:05 AM,20/Sep/26 4:30 PM,0,pay,,Text,ann,bob,,,,03/Sep/26 9:05 AM;ann;Yes,03/Sep/26 9:05 AM;ann;a.png;https://acme.example/a.png,In Progress',
      'Pay,ACME-2,10002,Story,To Do,ACME,Shop,Low,,,ann,03/Sep/26 9:05 AM,03/Sep/26 9:05 AM,,0,pay,ui,,,,S1,5,10001,,,To Do',
    ),
    first: { type: 'epic', summary: 'Checkout', progress: 'in-progress', jiraKey: 'ACME-1' },
  },
  {
    ...{ kind: 'backlog', preset: 'linear', name: 'linear.csv', rows: 2 },
    content: lines(
      '"ID","Team","Title","Description","Status","Estimate","Priority","Project ID","Project","Creator","Assignee","Labels","Cycle Number","Cycle Name","Cycle Start","Cycle End","Created","Updated","Started","Triaged","Completed","Canceled","Archived","Due Date","Parent issue","Initiatives","Project Milestone ID","Project Milestone","SLA Status","Roadmaps"',
      '"ENG-1","ENG","Checkout","Text","In Progress",,"High",,,,,,,,,,"Tue May 14 2024 08:53:33 GMT+0000 (GMT)",,,,,,,,,,,,,',
      '"ENG-2","ENG","Pay",,"Todo","3","High",,,,,"mobile, web",,,,,,,"Tue May 14 2024 08:53:33 GMT+0000 (GMT)",,,,,"2026-12-01","ENG-1",,,,,',
    ),
    first: { type: 'feature', summary: 'Checkout', progress: 'in-progress' },
  },
  {
    ...{ kind: 'backlog', preset: 'azure-devops', name: 'azure-devops.csv', rows: 2 },
    content: lines(
      '\uFEFFID,Work Item Type,Title 1,Title 2,Assigned To,State,Area Path,Effort,Remaining Work,Priority,Iteration Path,Tags',
      '"1","Epic","Shop",,"Ada <ada@example.com>","New","Shop\\Team",,,"2","Shop","a; b"',
      '"2","Product Backlog Item",,"Pay",,"Committed","Shop\\Team","3",,"2","Shop",',
    ),
    first: { type: 'epic', summary: 'Shop', progress: 'to-do' },
  },
  {
    ...{ kind: 'backlog', preset: 'trello', name: 'board.json', rows: 1, content: TRELLO_BOARD },
    first: { type: 'userstory', summary: 'Pay', progress: 'in-progress' },
  },
  {
    ...{ kind: 'backlog', preset: 'trello-cards', name: 'trello.csv', rows: 1 },
    content: lines('Name,Description,Labels,List', 'Pay,Text,mobile,Doing'),
    first: { type: 'userstory', summary: 'Pay', progress: 'in-progress' },
  },
  {
    ...{ kind: 'backlog', preset: 'asana', name: 'asana.csv', rows: 2 },
    content: lines(
      'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies)',
      '12001,2026-09-01,,2026-09-02,Checkout,Doing,,,,2026-12-01,"Urgent,Client",Text,Launch,,,',
      '12002,2026-09-01,,2026-09-02,Pay,Doing,Ann,ann@example.com,,,,,Launch,Checkout,,',
    ),
    first: { type: 'feature', summary: 'Checkout', progress: 'in-progress' },
  },
  {
    ...{ kind: 'backlog', preset: 'github', name: 'issues.json', rows: 1, content: GITHUB_ISSUES },
    first: { type: 'userstory', summary: 'Slow', progress: 'done' },
  },
  {
    ...{ kind: 'backlog', preset: 'github-projects', name: 'view.tsv', rows: 1 },
    content: lines(
      'Title\tURL\tAssignees\tStatus\tLabels\tMilestone\tRepository',
      'Pay\thttps://github.com/o/r/issues/1\tada\tIn Progress\tui, web\tv1\thttps://github.com/o/r',
    ),
    first: { type: 'userstory', summary: 'Pay', progress: 'in-progress' },
  },
  {
    ...{ kind: 'backlog', preset: 'gitlab', name: 'gitlab.csv', rows: 1, content: GITLAB_ISSUES },
    first: { type: 'userstory', summary: 'Slow', progress: 'done' },
  },
  {
    ...{ kind: 'backlog', preset: 'productboard', name: 'features.csv', rows: 2 },
    content: lines(
      'Name,Description,Type,Status,Parent,Owner,Tags,Effort,Timeframe start,Timeframe end,Productboard URL',
      'Checkout,Text,Feature,In progress,,ann@example.com,pay,3,2026-01-01,2026-03-31,https://acme.productboard.com/entity-detail/features/1',
      'Pay,,Subfeature,Planned,Checkout,,,,,,https://acme.productboard.com/entity-detail/features/2',
    ),
    first: { type: 'feature', summary: 'Checkout', progress: 'in-progress' },
  },
  {
    ...{ kind: 'backlog', preset: 'hubspot', name: 'tickets.csv', rows: 1, content: HUBSPOT_TICKETS },
    first: { type: 'userstory', summary: 'Broken', progress: 'done' },
  },
  {
    ...{ kind: 'feedback', preset: 'canny', name: 'posts.csv', rows: 1 },
    content: lines(
      'Post ID,Title,Details,Board,Category,Status,Tags,Author Name,Author Email,Created,Vote Count,Comment Count,URL',
      '6001,Dark mode,At night,Ideas,,planned,ui,Ada,ada@example.com,2026-01-01T10:00:00.000Z,12,3,https://acme.canny.io/p/1',
    ),
    first: { title: 'Dark mode', author: 'ada@example.com' },
  },
  {
    ...{ kind: 'feedback', preset: 'uservoice', name: 'suggestions.csv', rows: 1 },
    content: lines(
      'Idea ID,Idea Title,Idea Description,Idea Creator Name,Idea Creator Email Address,Idea URL,Forum Name,Category Name,Labels,Public Status Name,Voters Count,Comments Count,Created Timestamp,User Email Address',
      '501,Dark mode,At night,Ada,ada@example.com,https://acme.uservoice.com/1,Ideas,,ui,planned,2,0,2026-01-01 10:00:00 UTC,bob@example.com',
    ),
    first: { title: 'Dark mode', author: 'ada@example.com', votes: 1 },
  },
  {
    ...{ kind: 'feedback', preset: 'productboard', name: 'notes.csv', rows: 1 },
    content: lines(
      'note_id,note_title,note_text,user_email,owner_email,source_url,tags,created_at',
      'n-1,Dark mode,At night,ada@example.com,ann@example.com,https://acme.example/1,"ui,web",2026-01-01T10:00:00Z',
    ),
    first: { title: 'Dark mode', author: 'ada@example.com' },
  },
  {
    ...{ kind: 'feedback', preset: 'hubspot', name: 'tickets.csv', rows: 1, content: HUBSPOT_TICKETS },
    first: { title: 'Broken', author: 'ada@example.com' },
  },
  {
    ...{ kind: 'feedback', preset: 'trello', name: 'board.json', rows: 1, content: TRELLO_BOARD },
    first: { title: 'Pay', comments: 1 },
  },
  { kind: 'feedback', preset: 'github', name: 'i.json', rows: 1, content: GITHUB_ISSUES, first: { title: 'Slow' } },
  { kind: 'feedback', preset: 'gitlab', name: 'i.csv', rows: 1, content: GITLAB_ISSUES, first: { title: 'Slow' } },
  {
    ...{ kind: 'people', preset: 'mailchimp', name: 'audience.csv', rows: 1 },
    content: lines(
      '"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS',
      'ada@example.com,Ada,Lovelace,2,,,"2026-01-01 13:51:14",192.0.2.10,,,,,,,,"2026-01-01 14:00:32",55331253,89501affba,,',
    ),
    first: { email: 'ada@example.com', firstName: 'Ada' },
  },
  {
    ...{ kind: 'people', preset: 'hubspot', name: 'contacts.csv', rows: 1 },
    content: lines(
      'Contact ID,First Name,Last Name,Email,Phone Number,Job Title,Lifecycle Stage,Lead Status,Create Date,Last Modified Date,Contact Owner,Lead Source,Website URL,City,State/Region,Country,Associated Company Domain',
      'C-1,Ada,Lovelace,ada@example.com,555 0100,Engineer,Lead,New,2026-01-01,2026-01-02,ann@example.com,Web,,London,,GB,acme.example',
    ),
    first: { email: 'ada@example.com', firstName: 'Ada' },
  },
]
