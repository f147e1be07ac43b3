import { type Key, record } from '../../db/records/record'
import { tags } from '../../db/schema/tags'
import { moment } from '../../db/sql/field'

const tagKeyColumns = { tagId: tags.id }
export type TagKey = Key<typeof tagKeyColumns>

export const tag = record('tag', {
  table: tags,
  scope: 'product',
  key: tagKeyColumns,
  unique: { column: tags.slug, takenMessage: 'Another tag of this product has the same slug. Choose another name.' },
  fields: {
    id: tags.id,
    name: tags.name,
    slug: tags.slug,
    color: tags.color,
    usageCount: tags.usageCount,
    createdAt: moment(tags.createdAt),
    updatedAt: moment(tags.updatedAt),
  },
})
