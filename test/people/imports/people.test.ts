import { expect, test } from 'vitest'
import { importing } from '../../workspace/imports/setting'

test('imports people from a CSV in the answer, and names the rows that it rejects', async () => {
  const { run, people, client } = await importing()
  const made = await run('Email;Name;Plan;Seats\nada@example.com;Ada;pro;3\nnobody;No;;\nADA@example.com ;Other;;\n')
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      message: '1 created, 0 updated, 1 skipped, 1 rejected',
      data: {
        kind: 'people',
        status: 'partial',
        progress: 100,
        totals: { rows: 3, created: 1, updated: 0, skipped: 1, rejected: 1, kept: 0 },
        onConflict: 'skip',
        file: 'people.csv',
        mapping: { preset: null, columns: [{ column: 'Email', field: 'email' }, {}, {}, {}], constants: {} },
        rejected: [{ row: 2, field: 'email', reason: 'Must be an e-mail address, like ada@example.com.' }],
        kept: [],
      },
    },
  ])
  expect(await people()).toMatchObject([
    { email: 'ada@example.com', first_name: 'Ada', role: 'idm_member', attributes: '{"Plan":"pro","Seats":"3"}' },
  ])
  const got = await client('GET', made.headers.get('location') ?? '')
  expect(got.body.data).toEqual(made.body.data)
})

test('an undo of it', async () => {
  const { run, people, segment, client, read, subscriptionId } = await importing()
  const segmentId = await segment()
  const path = `/api/v2/segments/${segmentId}/import-users`
  const made = await run('email,name\na@example.com,A\nb@example.com,B\n', { path })
  expect(made.body.data.totals).toMatchObject({ created: 2 })
  const second = await run('email,name,x\na@example.com,AA,1\nc@example.com,C,2\nb@example.com,B,\n', { query: '?onConflict=update' })
  expect(second.body.data.totals).toMatchObject({ created: 1, updated: 1, skipped: 1 })
  expect(await people()).toMatchObject([{ first_name: 'AA', version: 2 }, { version: 1 }, {}])
  const undone = await client('POST', `/api/v2/imports/${second.body.data.id}/undo`)
  expect(undone.body).toMatchObject({ data: { status: 'undone', totals: { kept: 0 } } })
  expect(await people()).toMatchObject([{ first_name: 'A', attributes: '{}', version: 3 }, {}])
  const first = await client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect(first.body).toMatchObject({ data: { status: 'undone', kept: [{ row: 1 }] } })
  expect(await people()).toMatchObject([{ first_name: 'A' }])
  expect((await client<{userCount: number}>('GET', `/api/v2/segments/${segmentId}`)).body.data.userCount).toBe(0)
})
