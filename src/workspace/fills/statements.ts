import { changelogEntries } from '../../db/schema/changelog'
import { documents } from '../../db/schema/documents'
import { feedbackItems } from '../../db/schema/feedback'
import { kpis } from '../../db/schema/kpis'
import { personas } from '../../db/schema/personas'
import { teams, users } from '../../db/schema/tenancy'
import { workItems } from '../../db/schema/work-items'
import type { Fill } from './queries'

/** Fills of this release. The next release removes a fill, and may rely on the values. */
export const FILLS: readonly Fill[] = [
  { table: users, indexes: 'users', kind: 2 },
  { table: teams, indexes: 'teams', kind: 1 },
  { table: feedbackItems, indexes: 'feedback_items', kind: 3 },
  { table: workItems, indexes: 'work_items', kind: 5 },
  { table: kpis, indexes: 'kpis', kind: 6 },
  { table: personas, indexes: 'personas', kind: 4 },
  { table: documents, indexes: 'documents', kind: 7 },
  { table: changelogEntries, indexes: 'changelog_entries', kind: 8 },
].map((fill) => ({ ...fill, name: `search_words_of_${fill.indexes}` }))
