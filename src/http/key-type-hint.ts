import { RESOURCES } from '../resources'
import { ApiError } from '../text/errors'
import type { AnyOperation } from './operation'

interface KeyedResource {
  noun: string
  missing: string
  path: string
}

const EXTERNAL_KEY_PATTERN = /^([A-Z]{2,4})-[1-9]\d{0,14}$/
const LAST_PARAMETER_PATTERN = /\{\w+\}$/
const WORK_ITEM_NOT_FOUND = 'work_item_not_found'

function listKeyedResources(operations: readonly AnyOperation[]): ReadonlyMap<string, KeyedResource> {
  const resources = new Map<string, KeyedResource>()
  for (const { prefix, missing } of Object.values<{ missing: string; prefix?: string }>(RESOURCES)) {
    const own = operations.find(
      ({ method, path, errors }) => method === 'get' && LAST_PARAMETER_PATTERN.test(path) && errors?.[0] === missing,
    )
    if (prefix && own) resources.set(prefix, { noun: nounOfErrorCode(missing), missing, path: own.path })
  }
  return resources
}

function nounOfErrorCode(missing: string): string {
  const noun = missing.replace(/_not_found$/, '').replaceAll('_', ' ')
  return noun === 'kpi' ? 'KPI' : noun
}

const withArticle = (noun: string) => `${/^(?:[aeio]|user(?! ))/.test(noun) ? 'an' : 'a'} ${noun}`

const isWorkItemResource = ({ missing }: KeyedResource) =>
  [RESOURCES.epic, RESOURCES.feature, RESOURCES.userstory].some((resource) => resource.missing === missing)

/** Only the spelling of the key counts, to reveal no record. */
export function makeKeyTypeHint(operations: readonly AnyOperation[]) {
  const resources = listKeyedResources(operations)
  const codes = new Set([WORK_ITEM_NOT_FOUND, ...Array.from(resources.values(), ({ missing }) => missing)])

  return (cause: unknown, params: Readonly<Record<string, string>>): unknown => {
    if (!(cause instanceof ApiError) || !codes.has(cause.code)) return cause
    for (const [name, value] of Object.entries(params)) {
      const resource =
        name === 'product_external_key' ? undefined : resources.get(EXTERNAL_KEY_PATTERN.exec(value)?.[1] ?? '')
      if (
        !resource ||
        cause.code === resource.missing ||
        (cause.code === WORK_ITEM_NOT_FOUND && isWorkItemResource(resource))
      )
        continue
      const path = resource.path
        .replace('{product_external_key}', params.product_external_key ?? '{product_external_key}')
        .replace(LAST_PARAMETER_PATTERN, value)
      return new ApiError(cause.code, `${value} is ${withArticle(resource.noun)}: use the path ${path}.`, { cause })
    }
    return cause
  }
}
