import { storedValuesByColumn } from '../../db/records/body'
import type { ImportDefinition } from '../../workspace/imports/bulk'
import { loadHtmlSanitizer } from '../../workspace/imports/row-values'
import { story } from '../work-items/queries/record'
import { listTagSlugs } from '../work-items/tags'
import { backlogImportKind, type ImportedItem } from './kind'
import { backlogImportStatements } from './queries'
import { createItemRelations } from './relations'

export const backlogImport: ImportDefinition<ImportedItem> = {
  kind: backlogImportKind,
  area: 'backlog',
  prepare: loadHtmlSanitizer,
  relations: createItemRelations,
  identityOf: () => undefined,
  storedValues: ({
    key,
    type,
    fields,
    parent,
    comments,
    externalIds,
    assignee,
    members,
    versions,
    linksOfRow,
    team,
    assignees,
    createdAt,
    spareAttributes,
  }) => [
    key,
    fields.jiraKey ?? '',
    type,
    parent?.row ?? null,
    parent?.key ?? null,
    parent?.jiraKey ?? null,
    parent?.needs?.key ?? null,
    storedValuesByColumn(story.fields, fields),
    fields.tags === undefined ? null : listTagSlugs(fields.tags),
    comments,
    externalIds,
    ...(parent?.externalId ?? [null, null]),
    ...[assignee?.name ?? null, assignee?.key ?? members?.key ?? null, versions, linksOfRow ?? []],
    ...[team ?? null, assignees, createdAt ?? null],
    members?.people.map(({ name, key }) => [name, key]) ?? [],
    spareAttributes,
  ],
  statements: backlogImportStatements,
  rowsPerRecord: 25,
}
