import { type Key, record } from '../../db/records/record'
import { feedbackCategories } from '../../db/schema/feedback'
import { moment } from '../../db/sql/field'

const categoryKeyColumns = { categoryId: feedbackCategories.id }
export type CategoryKey = Key<typeof categoryKeyColumns>

export const category = record('category', {
  table: feedbackCategories,
  scope: 'workspace',
  key: categoryKeyColumns,
  unique: {
    column: feedbackCategories.slug,
    takenMessage: 'Another category has this name, or a name with the same slug.',
  },
  fields: {
    id: feedbackCategories.id,
    name: feedbackCategories.name,
    description: feedbackCategories.description,
    slug: feedbackCategories.slug,
    createdAt: moment(feedbackCategories.createdAt),
    updatedAt: moment(feedbackCategories.updatedAt),
  },
})
