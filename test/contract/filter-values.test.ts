import { expect, test } from 'vitest'
import { call } from '../client'
import { createFilledList } from './filled-lists'
import { filterKindOf, filterNames, filtersOf, type Item, itemIdentity, listAllPages, type Query } from './pages'
import { acceptsSeveral, eachOperation, isList, optionsOf, queryParametersOf, UNLIMITED } from './table'

const SWITCHES = ['true,false', 'false,true,all']

/** Enumerations of more than `true` and `false` accept several values. */
const severalFilters = (op: Parameters<typeof filterNames>[0]) =>
  filterNames(op).filter((name) => acceptsSeveral(queryParametersOf(op)[name] as never))

const refuse = async (path: string, query: Query, apiKey: string) => {
  const { status, body } = await call<Item[]>('GET', `${path}?${new URLSearchParams(query)}`, {
    apiKey,
    env: UNLIMITED,
  })
  const { error } = body as unknown as { error?: { issues: { path: string; message: string }[] } }
  return { status, paths: error?.issues.map(({ path }) => path), message: error?.issues[0]?.message ?? '' }
}

test.each(eachOperation((op) => isList(op) && severalFilters(op).length))(
  '%s returns the records with any of several values',
  async (_, op) => {
    const { path, known: records, unlimited, limited } = await createFilledList(op)
    for (const name of severalFilters(op)) {
      const [item] = await listAllPages({ path, query: {}, apiKey: unlimited }, 100)
      const own = filtersOf(op, item ?? {}, records).find(({ query }) => query[name])?.query[name] ?? ''
      const options = optionsOf(queryParametersOf(op)[name] as never) ?? ['to-do', 'in-progress', 'done']
      const known = name === 'status' && op.id === 'listFeedbackItems' ? ['planned', 'Open'] : [own, ...options]
      // A filter takes 20 values.
      const values = [...new Set(known)].slice(0, 20)
      for (const apiKey of [unlimited, limited]) {
        const single = new Set<string>()
        for (const value of values) {
          const found = await listAllPages({ path, query: { [name]: value }, apiKey }, 100)
          for (const one of found) single.add(itemIdentity(one))
        }
        for (const sent of [values.join(), values.toReversed().join(', ')]) {
          const several = await listAllPages({ path, query: { [name]: sent }, apiKey }, 2)
          expect({ name, sent, ids: several.map(itemIdentity).toSorted() }).toEqual({
            name,
            sent,
            ids: [...single].toSorted(),
          })
        }
      }
    }
  },
)

// The type of an event has more than a hundred values.
const hasKnownValues = (op: Parameters<typeof filterNames>[0]) =>
  op.id !== 'listEvents' && filterNames(op).some((name) => filterKindOf(op, name) !== 'open')

test.each(eachOperation((op) => isList(op) && hasKnownValues(op)))(
  '%s refuses unknown values and names the parameter',
  async (_, op) => {
    const { path, known, unlimited, limited } = await createFilledList(op)
    for (const name of filterNames(op)) {
      const kind = filterKindOf(op, name)
      if (kind === 'open') continue
      const options = optionsOf(queryParametersOf(op)[name] as never)
      if (options && !acceptsSeveral(queryParametersOf(op)[name] as never))
        expect(SWITCHES).toContain(options.filter((option) => option !== 'raw').join())
      const isKey = /[A-Z]/.test(known[name] ?? '')
      const unknown =
        kind === 'closed' ? ['nowhere', ...(options ? [`${options[0]},nowhere`] : [])] : [isKey ? 'NO-999' : '9999999']
      for (const apiKey of [unlimited, limited]) {
        for (const value of unknown) {
          const { status, paths, message } = await refuse(path, { [name]: value }, apiKey)
          expect({ name, value, status, paths }).toEqual({ name, value, status: 400, paths: [`/query/${name}`] })
          for (const option of options ?? []) expect(message).toContain(`"${option}"`)
        }
      }
    }
  },
)
