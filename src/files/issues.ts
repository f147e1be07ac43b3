import { toAddressId } from '../text/address-id'
import type { ConvertedProduct } from './batch'
import { isJsonObject, type JsonObject, readList, readMember, readNumber, readText, toListCell } from './read-json'

const GITHUB_ISSUE_PATTERN = /\/(?:issues|pull)\/\d+$/
const GITHUB_PULL_REQUEST_PATTERN = /\/pull\/\d+$/

/** GitHub's REST API writes `html_url` and `created_at`, its command line writes `url` and `createdAt`. */
const addressOf = (issue: JsonObject) => readText(issue, 'html_url') || readText(issue, 'url')

const isGitHubIssue = (row: JsonObject) =>
  readNumber(row, 'number') > 0 && typeof row.title === 'string' && GITHUB_ISSUE_PATTERN.test(addressOf(row))

const isGitLabIssue = (row: JsonObject) =>
  readNumber(row, 'iid') > 0 && typeof row.title === 'string' && typeof row.web_url === 'string'

const isPullRequest = (issue: JsonObject) =>
  readMember(issue, 'pull_request') !== undefined || GITHUB_PULL_REQUEST_PATTERN.test(addressOf(issue))

const listNames = (items: readonly unknown[], ...members: readonly string[]): string[] =>
  items
    .map((item) => (typeof item === 'string' ? item : members.map((name) => readText(item, name)).find((text) => text)))
    .filter((name) => name !== undefined)

const toGitHubRow = (issue: JsonObject) => ({
  number: String(issue.number),
  title: issue.title,
  body: issue.body,
  state: readText(issue, 'state').toLowerCase(),
  state_reason: readText(issue, 'state_reason') || readText(issue, 'stateReason'),
  labels: toListCell(listNames(readList(issue, 'labels'), 'name')),
  milestone: readText(issue.milestone, 'title'),
  assignees: listNames(readList(issue, 'assignees'), 'login').join(', '),
  author: readText(issue.user, 'login') || readText(issue.author, 'login'),
  html_url: addressOf(issue),
  created_at: readText(issue, 'created_at') || readText(issue, 'createdAt'),
  closed_at: readText(issue, 'closed_at') || readText(issue, 'closedAt'),
  ...(Array.isArray(issue.comments) && { comments: issue.comments.map(toGitHubComment) }),
})

const toGitHubComment = (comment: unknown) => ({
  text: readText(comment, 'body'),
  createdAt: readText(comment, 'createdAt'),
  author: readText(readMember(comment, 'author'), 'login'),
  externalId: toAddressId(readText(comment, 'url')),
})

/** GitLab's JSON gets the columns of GitLab's CSV. */
const toGitLabRow = (issue: JsonObject) => ({
  'Issue ID': String(issue.iid),
  URL: issue.web_url,
  Title: issue.title,
  State: issue.state === 'opened' ? 'Open' : issue.state === 'closed' ? 'Closed' : issue.state,
  Description: issue.description,
  Author: readText(issue.author, 'name') || readText(issue.author, 'username'),
  Assignee: listNames(readList(issue, 'assignees'), 'name', 'username').join(', '),
  Confidential: issue.confidential,
  'Due Date': issue.due_date,
  'Created At (UTC)': issue.created_at,
  'Closed At (UTC)': issue.closed_at,
  Milestone: readText(issue.milestone, 'title'),
  Weight: issue.weight,
  Labels: toListCell(listNames(readList(issue, 'labels'), 'name')),
  'Epic Title': readText(issue.epic, 'title'),
})

/** Issues of the APIs of GitHub and GitLab become flat rows; pull requests are left out. Other rows stay as they are. */
export function convertIssues(rows: readonly unknown[]): {
  rows: unknown[]
  convertedFrom: ConvertedProduct | undefined
} {
  let convertedFrom: ConvertedProduct | undefined
  const flatRows = rows.flatMap((row): unknown[] => {
    if (!isJsonObject(row)) return [row]
    if (isGitHubIssue(row)) {
      convertedFrom ??= 'github'
      return isPullRequest(row) ? [] : [toGitHubRow(row)]
    }
    if (!isGitLabIssue(row)) return [row]
    convertedFrom ??= 'gitlab'
    return [toGitLabRow(row)]
  })
  return { rows: flatRows, convertedFrom }
}
