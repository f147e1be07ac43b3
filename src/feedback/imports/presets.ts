import { extendPreset, type ImportPreset, ignoreColumns, mapToAttributes } from '../../workspace/imports/kind'
import { githubIssues, gitlabIssues, hubspotTickets, trelloBoard } from '../../workspace/imports/product-presets'

const groundworkPreset: ImportPreset = {
  name: 'groundwork',
  product: 'Groundwork',
  isOwnExport: true,
  identifyingColumns: ['external_key', 'title', 'long_description', 'author', 'vote', 'created_at'],
  columns: {
    author: 'author',
    author_name: 'authorName',
    cover_photo_url: 'coverPhotos',
    ...ignoreColumns('product', 'vote', 'comment', 'id', 'updated_at'),
  },
}

/** A closed post of Canny is not done. */
const CANNY_STATUSES = { closed: 'declined', Closed: 'declined' }

const cannyPreset: ImportPreset = {
  name: 'canny',
  product: 'Canny',
  constants: { externalSource: 'canny' },
  identifyingColumns: ['title', 'details', 'status'],
  columns: {
    'Post ID': 'name',
    ID: 'name',
    Title: 'title',
    Details: 'description',
    Status: { field: 'status', values: CANNY_STATUSES },
    Category: 'category',
    Tags: 'tags',
    Author: 'authorName',
    'Author Name': 'authorName',
    'Author Email': 'author',
    Created: 'createdAt',
    'Created At': 'createdAt',
    'Created Date': 'createdAt',
    'Vote Count': { attribute: 'votes' },
    'Voter Emails': 'votes',
    'Comment Count': { attribute: 'comments' },
    ...mapToAttributes('Board', 'Votes', 'Score', 'Comments', 'Owner', 'ETA', 'URL', 'MRR', 'Opportunities'),
    ...mapToAttributes('Merged Into'),
    ...ignoreColumns('Author ID', 'Status Changed', 'Last Activity'),
  },
}

const fiderPreset: ImportPreset = {
  name: 'fider',
  product: 'Fider',
  constants: { externalSource: 'fider' },
  identifyingColumns: ['number', 'title', 'created_by', 'total_votes'],
  columns: {
    number: 'name',
    title: 'title',
    description: 'description',
    created_at: 'createdAt',
    created_by: 'authorName',
    total_votes: { attribute: 'votes' },
    total_comments: { attribute: 'comments' },
    status: 'status',
    original_number: { attribute: 'duplicateOf' },
    tags: 'tags',
    ...mapToAttributes('responded_by', 'responded_at', 'response'),
    ...ignoreColumns('original_title'),
  },
}

const uservoicePreset: ImportPreset = {
  name: 'uservoice',
  product: 'UserVoice',
  constants: { externalSource: 'uservoice' },
  identifyingColumns: ['Idea ID', 'Idea Title'],
  columns: {
    'Idea ID': 'name',
    'Idea Title': 'title',
    'Idea Description': 'description',
    'Idea Creator Name': 'authorName',
    'Idea Creator Email Address': 'author',
    'Idea URL': { attribute: 'url' },
    'Forum Name': { attribute: 'forum' },
    'Category Name': 'category',
    Labels: 'tags',
    'Idea List Names': { attribute: 'lists' },
    'Public Status Name': 'status',
    'Public Status Update Message': { attribute: 'response' },
    'Public Status Updated Timestamp': { attribute: 'respondedAt' },
    'Public Status Creator Name': { attribute: 'respondedBy' },
    'Moderation State': { attribute: 'moderation' },
    'Voters Count': { attribute: 'votes' },
    'Comments Count': { attribute: 'comments' },
    'Created Timestamp': 'createdAt',
    'User Email Address': 'votes',
    ...ignoreColumns('Public Status Creator Email Address', 'Linked Idea Creation Date', 'User Name', 'User ID'),
  },
}

const uservoiceAnalysisPreset: ImportPreset = {
  name: 'uservoice-analysis',
  product: 'UserVoice',
  constants: { externalSource: 'uservoice' },
  identifyingColumns: ['suggestion.id', 'suggestion.title'],
  columns: {
    'suggestion.id': 'name',
    'suggestion.title': 'title',
    'suggestion.body': 'description',
    'suggestion.portal_url': { attribute: 'url' },
    'suggestion.forum.name': { attribute: 'forum' },
    'suggestion.category.name': 'category',
    'suggestion.status.name': 'status',
    'suggestion.labels.name': 'tags',
    'suggestion.parent.id': { attribute: 'duplicateOf' },
    'suggestion.created_timestamp': 'createdAt',
    'suggestion.creator.name': 'authorName',
    'suggestion.creator.email': 'author',
    'suggestion.creator.email_address': 'author',
    'user.email': 'votes',
    'user.email_address': 'votes',
    ...ignoreColumns(
      'suggestion.body_mime_type',
      'suggestion.admin_url',
      'suggestion.forum.id',
      'suggestion.category.id',
    ),
    ...ignoreColumns('suggestion.status.id', 'suggestion.labels.id', 'suggestion.ticket.id'),
    ...ignoreColumns('suggestion.created_user_agent', 'suggestion.created_referrer'),
    ...ignoreColumns(
      'suggestion.created_user_agent_browser',
      'suggestion.created_user_agent_browser_version',
      'user.name',
    ),
    ...ignoreColumns('user.id'),
  },
}

/** Notes of customers. */
const productboardPreset: ImportPreset = {
  name: 'productboard',
  product: 'Productboard',
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

const hubspotPreset = extendPreset(hubspotTickets, {
  'Ticket ID': 'name',
  'Record ID': 'name',
  'Ticket name': 'title',
  'Create date': 'createdAt',
  'Associated Contact Email': 'author',
  'Associated Contact': 'authorName',
  Category: 'category',
})

/** Cards of a board where people post their ideas. */
const trelloPreset = extendPreset(trelloBoard, {
  'Card ID': 'name',
  'Card Name': 'title',
  'Card URL': { attribute: 'url' },
  'Attachment Links': { attribute: 'attachments' },
  ...mapToAttributes('Start Date', 'Due Date'),
})

const githubPreset = extendPreset(githubIssues, {
  number: { attribute: 'number' },
  html_url: 'name',
  title: 'title',
  author: 'authorName',
  created_at: 'createdAt',
})

const gitlabPreset = extendPreset(gitlabIssues, {
  'Issue ID': { attribute: 'number' },
  URL: 'name',
  Title: 'title',
  Author: 'authorName',
  'Created At (UTC)': 'createdAt',
  ...mapToAttributes('Assignee', 'Weight', 'Due Date'),
  ...ignoreColumns('Time Estimate', 'Time Spent'),
})

export const feedbackPresets: readonly ImportPreset[] = [
  groundworkPreset,
  fiderPreset,
  uservoicePreset,
  uservoiceAnalysisPreset,
  cannyPreset,
  hubspotPreset,
  productboardPreset,
  trelloPreset,
  githubPreset,
  gitlabPreset,
]
