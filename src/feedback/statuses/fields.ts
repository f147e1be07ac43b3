import { type Key, record } from '../../db/records/record'
import { feedbackStatuses } from '../../db/schema/feedback'
import { flag, moment } from '../../db/sql/field'

const statusKeyColumns = { statusId: feedbackStatuses.id }
export type StatusKey = Key<typeof statusKeyColumns>

export const status = record('feedback_status', {
  table: feedbackStatuses,
  scope: 'workspace',
  key: statusKeyColumns,
  unique: {
    column: feedbackStatuses.slug,
    takenMessage: 'Another status has this name, or a name with the same slug.',
  },
  fields: {
    id: feedbackStatuses.id,
    name: feedbackStatuses.name,
    slug: feedbackStatuses.slug,
    color: feedbackStatuses.color,
    order: feedbackStatuses.position,
    endsVoting: flag(feedbackStatuses.endsVoting),
    progress: feedbackStatuses.progress,
    createdAt: moment(feedbackStatuses.createdAt),
    updatedAt: moment(feedbackStatuses.updatedAt),
  },
})
