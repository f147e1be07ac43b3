import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { takesPatch } from '../../src/http/operation'
import { call } from '../client'
import { prepareRecords } from '../world'
import { document, expectFailure } from './document'
import { callOperation, createScenario, eachOperation, operationTable } from './table'

const { records } = await createScenario()

const EXTERNAL_PARAMETERS = ['source', 'external_id', 'externalId']

test.each(eachOperation((op) => op.path.includes('{')))('%s documents the code of every 404', async (_, op) => {
  const own = await prepareRecords(op, records)
  const errorCodes = new Set<string | undefined>(op.productInQuery ? ['product_not_found'] : [])
  for (const [, name = ''] of op.path.matchAll(/\{(\w+)\}/g)) {
    // An upsert by external id creates an absent item, so no value is absent.
    if (EXTERNAL_PARAMETERS.includes(name)) continue
    const absent = String(await own.value(name)).replace(/[^-]+$/, '99999999')
    const answer = await callOperation(op, own, { path: await own.path(op.path, { [name]: absent }) })
    expect({ parameter: name, status: answer.status }).toEqual({ parameter: name, status: 404 })
    errorCodes.add(answer.body.error?.code)
  }
  const documented = document.paths[op.path]?.[op.method]
  expect(documented?.['x-error-codes'] ?? []).toEqual([...errorCodes])
  for (const code of errorCodes) expect(documented?.responses[404]?.description).toContain(`\`${code}\``)
})

describe('a path has one spelling', () => {
  test.each(eachOperation(({ path }) => /\{(?!externalId)\w+Id\}/.test(path)))(
    '%s accepts one spelling of an id',
    async (_, op) => {
      const [, name = ''] = /\{(\w+Id)\}/.exec(op.path) ?? []
      const id = Number(await records.value(name))
      for (const spelling of [`0x${id.toString(16)}`, `0${id}`, `+${id}`, `${id}.0`, `${id}e0`, `%20${id}`, '-0']) {
        const answer = await callOperation(op, records, { path: await records.path(op.path, { [name]: spelling }) })
        expectFailure(answer, 400, 'validation_failed')
        expect(answer.body.error?.issues.map(({ path }) => path)).toEqual([`/path/${name}`])
      }
    },
  )

  test.each(eachOperation((op) => op.path.includes('_external_key}')))(
    '%s documents the pattern of a key and finds no record by another spelling',
    async (_, op) => {
      const own = await prepareRecords(op, records)
      const documented = document.paths[op.path]?.[op.method]?.parameters ?? []
      for (const [, name = ''] of op.path.matchAll(/\{(\w+_external_key)\}/g)) {
        const { pattern = 'none' } = documented.find((parameter) => parameter.name === name)?.schema ?? {}
        const key = String(await own.value(name))
        expect(key).toMatch(new RegExp(pattern, 'u'))
        for (const other of [
          key.toLowerCase(),
          key.replace('-', '_'),
          key.replace('-', '-0'),
          `${key}.0`,
          '-',
          '%20',
        ]) {
          // A product key may have any form.
          if (name !== 'product_external_key') expect(other).not.toMatch(new RegExp(pattern, 'u'))
          const answer = await callOperation(op, own, { path: await own.path(op.path, { [name]: other }) })
          expectFailure(answer, 404, answer.body.error?.code ?? '')
        }
      }
    },
  )
})

test.each([...new Set(operationTable.map((op) => op.path))])(
  '%s answers other methods with 405 and Allow',
  async (path) => {
    const rows = operationTable.filter((op) => op.path === path)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (rows.some((op) => op.method.toUpperCase() === method)) continue
      if (method === 'PATCH' && rows.some(takesPatch)) continue
      const answer = await call(method, await records.path(path))
      expectFailure(answer, 405, 'method_not_allowed')
      for (const op of rows) expect(answer.headers.get('allow')).toContain(op.method.toUpperCase())
    }
  },
)

const addToQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

test.each(eachOperation())('%s refuses an unknown parameter', async (_, op) => {
  const answer = await callOperation(op, records, { path: addToQuery(await records.path(op.path), 'nonsense=1') })
  expectFailure(answer, 400, 'validation_failed')
  expect(answer.body.error?.issues.map(({ path }) => path)).toEqual(['/query/nonsense'])
})

test('an unknown path is a 404 in the envelope', async () => {
  const answer = await call('GET', '/api/v3/nothing')
  expectFailure(answer, 404, 'route_not_found')
})

test.each(eachOperation((op) => op.query !== undefined))('%s refuses a repeated query parameter', async (_, op) => {
  const path = await records.path(op.path)
  const names = op.query instanceof z.ZodObject ? Object.keys(op.query.shape) : []
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const answer = await callOperation(op, records, { path: addToQuery(path, `${name}=1&${name}=1`) })
    expectFailure(answer, 400, 'validation_failed')
    expect(answer.body.error?.issues).toContainEqual({
      path: `/query/${name}`,
      code: 'repeated_parameter',
      message: expect.stringContaining('more than once'),
    })
  }
})
