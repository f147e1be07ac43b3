import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { EmailAddress } from '../../src/http/schemas'
import { createUniqueId } from '../unique'
import { inputName, listInputs, type RequestInput, setAtPath } from './inputs'
import { callOperation, createScenario, operationTable, validPath, validRequest } from './table'

const { here, records } = await createScenario()

const addressText: unknown = EmailAddress.def.in
const addressCases = operationTable
  .flatMap(listInputs)
  .filter(({ schema, path }) => schema === addressText || (schema instanceof z.ZodUnknown && path.at(-1) === 'email'))
  .map((spot) => [inputName(spot), spot] as const)

test('the loop finds the addresses of queries and bodies', () => {
  const places = new Set(addressCases.map(([, { where }]) => where))
  expect([places.has('query'), places.has('body'), addressCases.length > 15]).toEqual([true, true, true])
})

async function callWithAddress({ op, where, path }: RequestInput, address: string) {
  const at = await validPath(op, records)
  if (where === 'query') {
    return callOperation(op, records, { path: `${at}?${new URLSearchParams({ [path.join('.')]: address })}` })
  }
  const { json } = await validRequest(op, records)
  return callOperation(op, records, { path: at, json: setAtPath(op.body ?? z.unknown(), json, path, address) })
}

const makeAddresses = (name: string) =>
  [
    [`\u200b ${name}@Bücher.example\ufeff\u00a0`, 'accepted'],
    [`\u202a${name}@例え.テスト\u202c`, 'accepted'],
    [`${name}＠пример。рф`, 'accepted'],
    [`${name}@xn--e1afmkfd.xn--p1ai`, 'accepted'],
    [`${name}@bü cher.example`, 'refused'],
    [`${name}@bücher.example/x`, 'refused'],
    [`${name}@bücher`, 'refused'],
  ] as const

test.each(addressCases)('%s takes a domain of any script, with invisible characters around', async (_, spot) => {
  for (const [given, wanted] of makeAddresses(createUniqueId().toLowerCase())) {
    const { body } = await callWithAddress(spot, given)
    const isRefused = JSON.stringify(body).includes('Must be an e-mail address')
    expect([given, isRefused ? 'refused' : 'accepted']).toEqual([given, wanted])
  }
})

test('no address is stored with other letters than ASCII', async () => {
  const { results } = await env.DB.prepare(
    "SELECT email FROM users WHERE subscription_id = ? AND (email GLOB '*[^ -~]*' OR email <> lower(trim(email)))",
  )
    .bind(here.subscriptionId)
    .all()
  expect(results).toEqual([])
})
