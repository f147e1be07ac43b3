import * as z from 'zod'
import type { CellProblemReporter } from '../../workspace/imports/kind'
import { parseJsonCell } from '../../workspace/imports/row-values'
import { ForeignKeyParams, JIRA_SOURCE } from '../external/schema'

export const splitLines = (text = '') => text.split('\n').filter((line) => line !== '')

/** Parses tags from several columns, each a serialized array or names separated by commas or semicolons. */
export function parseTags(text: string): string {
  const tags = text.split('\n').flatMap((line) => {
    if (!line.startsWith('[')) return line.split(/[,;]/).map((tag) => tag.trim())
    return undefined
  })
  return tags.includes(undefined) ? text : JSON.stringify(tags.filter((tag) => tag))
}

/** Jira writes an attachment as `22/Sep/25 9:26 AM;author;name;address`. */
function listAddresses(line: string): string[] {
  const address = line.slice(line.lastIndexOf(';http') + 1)
  const isAttachment = address.length < line.length && !line.startsWith('http') && !/\s/.test(address)
  return isAttachment ? [address] : line.split(/\s+/)
}

/** Parses addresses from several columns, each a JSON array, addresses separated by white space, or an attachment. */
export function parseUrls(text: string): unknown {
  const whole = text.startsWith('[') ? parseJsonCell(text) : undefined
  if (Array.isArray(whole)) return whole
  const urls = text.split('\n').flatMap((line) => {
    const read = line.startsWith('[') ? parseJsonCell(line) : undefined
    return Array.isArray(read) ? read : listAddresses(line).map((url) => ({ url }))
  })
  return urls.filter((one) => one?.url !== '')
}

export type ImportedExternalId = [source: string, externalId: string]

const MAX_EXTERNAL_IDS_PER_ITEM = 100

const ExternalId = z
  .object({ source: ForeignKeyParams.shape.source, externalId: ForeignKeyParams.shape.external_id })
  .refine(
    ({ source }) => source !== JIRA_SOURCE,
    'Must be the name of another system than Jira. Send the id in Jira as `jiraId`',
  )

/** A JSON array of `{source, externalId}`. */
export function parseExternalIds(text: string, report: CellProblemReporter): ImportedExternalId[] {
  const list = parseJsonCell(text)
  const wrong = (value: string, reason: string) => report({ field: 'externalIds', value, reason })
  if (!Array.isArray(list) || list.length > MAX_EXTERNAL_IDS_PER_ITEM) {
    wrong(text, `Must be a JSON array of at most ${MAX_EXTERNAL_IDS_PER_ITEM} ids in other systems.`)
    return []
  }
  return list.flatMap((one): ImportedExternalId[] => {
    const { success, data, error } = ExternalId.safeParse(one)
    if (!success) wrong(JSON.stringify(one), `${error.issues[0]?.message}.`)
    return success ? [[data.source, data.externalId]] : []
  })
}
