import { storedAs } from '../../db/change'
import type { Importing } from '../../workspace/imports/bulk'
import { ready } from '../../workspace/imports/reading'
import { story } from '../work-items/queries/record'
import { slugsOf } from '../work-items/tags'
import { family } from './family'
import { backlog, type Item } from './kind'
import { bulk } from './queries'

export const backlogImport: Importing<Item> = {
  kind: backlog,
  area: 'backlog',
  ready,
  relations: family,
  identity: () => undefined,
  stored: ({ key, type, given, parent }) => [
    key,
    given.jiraKey ?? '',
    type,
    parent?.row ?? null,
    parent?.key ?? null,
    parent?.jiraKey ?? null,
    parent?.needs?.key ?? null,
    storedAs(story.fields, given),
    given.tags === undefined ? null : slugsOf(given.tags),
  ],
  bulk,
  rowsPerRecord: 25,
}
