import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { insertSecondProduct } from '../../contract/table'
import { createWorkspace, type Workspace } from '../../factories'
import { openExport } from '../../open-export'
import { createPersona, PATH, type Persona } from './records'

async function readPieces(here: Workspace, products: number[] | null = null) {
  const { response, asked, reader } = await openExport(here, `${PATH}/export?format=ndjson`, { products })
  expect(response.status).toBe(200)
  const pieces: Uint8Array[] = []
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value)
  const personas = pieces.flatMap((piece) =>
    new TextDecoder()
      .decode(piece)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Persona),
  )
  return { pieces, personas, asked }
}

test('a key that is limited to products exports the personas of its products and of all products', async () => {
  const here = await createWorkspace()
  const other = await insertSecondProduct(here)
  const shared = await createPersona(here)
  const own = await createPersona(here, { product: here.product.externalKey })
  const foreign = await createPersona(here)
  await env.DB.prepare('UPDATE personas SET product_id = ? WHERE id = ?').bind(other, foreign.id).run()
  const keys = async (products: number[] | null) =>
    (await readPieces(here, products)).personas.map(({ externalKey }) => externalKey)
  expect(await keys(null)).toEqual([shared.externalKey, own.externalKey, foreign.externalKey])
  expect((await keys([here.product.id])).toSorted()).toEqual([shared.externalKey, own.externalKey].toSorted())
})

test('personas with long values of custom fields are exported in pages of 4 MB', async () => {
  const here = await createWorkspace()
  const field = await here.client<{ id: number }>('POST', '/api/v2/persona-board/custom-fields', {
    json: { name: 'Story', type: 'textarea' },
  })
  for (let n = 0; n < 30; n++) await createPersona(here)
  const value = JSON.stringify('x'.repeat(400_000))
  await env.DB.prepare(
    `INSERT INTO persona_custom_values (subscription_id, persona_id, field_id, value)
      SELECT subscription_id, id, ?2, ?3 FROM personas WHERE subscription_id = ?1`,
  )
    .bind(here.subscriptionId, field.body.data.id, value)
    .run()
  const { pieces, personas, asked } = await readPieces(here)
  expect(personas.length).toBe(30)
  expect(personas.every(({ customFields }) => String(Object.values(customFields)[0]).length === 400_000)).toBe(true)
  expect(pieces.length).toBeGreaterThan(2)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(5_000_000)
  expect(asked.most).toBeLessThan(5_000_000)
})
