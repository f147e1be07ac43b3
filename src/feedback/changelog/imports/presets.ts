import { type ImportPreset, ignoreColumns } from '../../../workspace/imports/kind'

const groundworkPreset: ImportPreset = {
  name: 'groundwork',
  product: 'Groundwork',
  isOwnExport: true,
  identifyingColumns: ['externalKey', 'title', 'content', 'labels', 'publishAt', 'publishedAt'],
  columns: ignoreColumns('id', 'cover', 'updatedAt'),
}

export const changelogPresets: readonly ImportPreset[] = [groundworkPreset]
