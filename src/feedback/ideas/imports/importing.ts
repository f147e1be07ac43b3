import { storedAs } from '../../../db/change'
import { slugify } from '../../../text/slug'
import type { Importing } from '../../../workspace/imports/bulk'
import { ready } from '../../../workspace/imports/reading'
import { feedback } from '../queries/record'
import { feedbackKind, type Idea } from './kind'
import { bulk } from './queries'
import { voting } from './voting'

const named = (name: string | null) => [name, name === null ? null : slugify(name)]

export const feedbackImport: Importing<Idea> = {
  kind: feedbackKind,
  area: 'feedback',
  ready,
  relations: voting,
  identity: ({ key, name }) => key ?? name ?? undefined,
  stored: ({ key, slug, author, authorName, category, status, createdAt, given, tags, votes, comments }) => [
    ...[key, slug, author, authorName],
    { ...storedAs(feedback.fields, given), ...(createdAt !== null && { created_at: createdAt }) },
    ...[tags, ...named(category), ...named(status), votes, comments],
  ],
  bulk,
  rowsPerRecord: 30,
}
