import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { feedbackItems } from '../../../db/schema/feedback'
import { inline } from '../../../db/sql/statement'
import type { MissingKind } from '../../../workspace/imports/kind'
import { selectCategoryId, selectStatusId } from '../../../workspace/imports/lookups/statements'
import { storedValueAt } from '../../../workspace/imports/statements'
import { MAX_CREATED_NAME_CHARACTERS } from './kind'

// Indexes into the array made by `stored` in importing.ts.
export const [importedKey, importedSlug, importedAuthor, importedAuthorName] = [
  storedValueAt(2),
  storedValueAt(3),
  storedValueAt(4),
  storedValueAt(5),
]
export const [importedCategoryName, importedStatusName] = [storedValueAt(8), storedValueAt(10)]
export const [namedAuthor, namedAuthorKey] = [storedValueAt(14), storedValueAt(15)]
export const [categorySlug, statusSlugs] = [storedValueAt(9), storedValueAt(11)]
const STORED_BODY_INDEX = 6
export const importedBody = sql.raw(`(p.value -> ${STORED_BODY_INDEX})`)
export const importedBodyValue = (name: string) => sql.raw(`(p.value ->> '$[${STORED_BODY_INDEX}].${name}')`)
export const [tagsPath, votesPath, commentsPath] = [inline('$[7]'), inline('$[12]'), inline('$[13]')]

export const isCreatableName = (name: SQL) => sql`length(${name}) <= ${inline(MAX_CREATED_NAME_CHARACTERS)}`

interface NamedLink {
  name: string
  kind: MissingKind
  column: SQLiteColumn
  given: SQL
  id: SQL
}

export const NAMED_LINKS: readonly NamedLink[] = [
  {
    ...{ name: 'category', kind: 'categories', column: feedbackItems.categoryId, given: importedCategoryName },
    id: selectCategoryId(categorySlug),
  },
  {
    ...{ name: 'status', kind: 'statuses', column: feedbackItems.statusId, given: importedStatusName },
    id: selectStatusId(statusSlugs),
  },
]
