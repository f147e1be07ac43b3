/**
 * Members that the service computes and that change without the writer. A body may hold any value of them, so that a record
 * can be written back that was read before somebody else's vote. None of them is a text, an address, a status or a date
 * that a person could mean.
 */
export const COMPUTED_MEMBERS: ReadonlySet<string> = new Set([
  ...['updatedAt', 'updated_at', 'lastUsedAt', 'countedAt'],
  // Counts and sums.
  ...['vote', 'votes', 'downVote', 'comment', 'comments', 'userCount', 'usageCount', 'failures', 'lastError', 'points'],
  ...['changed', 'fromSegmentCount', 'toSegmentCount', 'progressPercentage', 'kpi_revisions', 'order', 'planOrder'],
  // Made of other members.
  ...['excerpt', 'explanation'],
  // Other records, which have operations of their own.
  ...[
    'features',
    'userStories',
    'ideas',
    'kpis',
    'files',
    'links',
    'activities',
    'swimlanes',
    'unplaced',
    'itemDetails',
  ],
  ...['users', 'versions', 'workItems', 'personas', 'history', 'status_updates', 'updates', 'haveIVoted'],
])

interface SentMember {
  path: readonly (string | number)[]
  value: unknown
}

/**
 * Whether a member is computed or in a computed one. A list that is sent to a new record, or with an action, can only be
 * meant: nobody else has changed it since.
 */
export const isComputed = ({ path, value }: SentMember, isWrittenBack: boolean): boolean =>
  path.some((name) => COMPUTED_MEMBERS.has(String(name))) &&
  (isWrittenBack || !(Array.isArray(value) && value.length > 0))
