import { expect, test } from 'vitest'
import { call, send } from '../../client'
import { createWorkspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { QUEUE } from '../../workspace/imports/scenario'
import { createImportScenario } from './scenario'

test('rows name their parents in any order and by any name, and a missing type follows from the place', async () => {
  const { run, tree, path, client } = await createImportScenario()
  const made = await run('id,title,parent\n1,Pay by card,2\n2,Checkout,3\n3,Shop,\n4,Alone,\n5,Returns,2\n')
  expect([made.status, made.body.data]).toMatchObject([
    201,
    { status: 'completed', totals: { created: 5, rejected: 0 } },
  ])
  expect(await tree()).toEqual([['Shop', ['Checkout', 'Pay by card', 'Returns']], 'Alone'])
  // A parent from before the import is named by key.
  const more = await run('type,summary,parent\nstory,Pay by invoice,FE-1\nfeature,Search,EP-1\n')
  expect(more.body.data).toMatchObject({ totals: { created: 2 } })
  expect(await tree()).toEqual([['Shop', ['Checkout', 'Pay by card', 'Returns', 'Pay by invoice'], 'Search'], 'Alone'])
  const story = await client<{ epicId: number; featureId: number }>('GET', `${path}/US-4`)
  expect([story.body.data.epicId > 0, story.body.data.featureId > 0]).toEqual([true, true])
  const types = (await client<{ type: string }[]>('GET', '/api/v2/events?limit=100')).body.data.map(({ type }) => type)
  expect(types.filter((type) => type.startsWith('import'))).toEqual(['import.completed', 'import.completed'])
})

test('a row without a summary is rejected, and other unreadable cells become warnings', async () => {
  const { run, tree, client } = await createImportScenario()
  const other = await client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  await client('POST', `/api/initiatives/${other.body.data.externalKey}/epics`, { json: { summary: 'Elsewhere' } })
  const made = await run(
    [
      'key,type,summary,parent,due date,estimate',
      'A,epic,Shop,,,',
      'B,story,Below nothing,Z-9,,',
      'C,story,In another product,EP-1,,',
      'D,feature,Below a story,E,,',
      'E,story,=1+1,A,,',
      'F,story,Below a story,E,,',
      'G,epic,Below an epic,A,,',
      'H,story,When,A,31/31/2026,',
      'I,story,How much,A,,many',
      'J,tale,What,A,,',
      'A,epic,Again,,,',
      'K,,Round,L,,',
      'L,,And round,K,,',
      'M,story,,A,,',
      'N,story,Below a rejected one,M,,',
      'O,story,In time,A,2026-01-31,3',
    ].join('\n'),
  )
  expect(made.body.data).toMatchObject({ status: 'partial', totals: { rows: 16, created: 13, rejected: 3 } })
  expect(made.body.data.rejected.map(({ row, field, reason }) => [row, field, reason.split('.')[0]])).toEqual([
    [3, 'parent', 'This product has no item with this key'],
    [11, 'name', 'Row 1 has the same key or id'],
    [14, 'summary', 'Must not be empty'],
  ])
  expect(
    made.body.data.warnings.map(({ field, value, rows, became, reason }) => [
      field,
      value,
      rows,
      became,
      reason.split('.')[0],
    ]),
  ).toEqual([
    ['parent', 'Z-9', 1, null, 'The parent is neither in the file nor the key of an epic or a feature'],
    ['parent', 'E', 2, null, 'A feature cannot be a child of a userstory'],
    ['parent', 'A', 1, null, 'An epic cannot have a parent'],
    ['endDate', '31/31/2026', 1, null, expect.stringContaining('Must be a date')],
    ['estimate', 'many', 1, null, expect.stringContaining('number')],
    ['type', 'tale', 1, 'userstory', 'The type is unknown, and stays as the attribute issueType'],
    ['parent', 'L', 1, null, 'An epic cannot have a parent'],
    ['parent', 'K', 1, null, 'An epic cannot have a parent'],
    ['parent', 'M', 1, null, 'The parent is neither in the file nor the key of an epic or a feature'],
  ])
  expect(made.body.data.warnings.map(({ column }) => column)).toEqual([
    ...['parent', 'parent', 'parent', 'due date', 'estimate', 'type', 'parent', 'parent', 'parent'],
  ])
  expect(await tree()).toEqual([
    ['Shop', '=1+1', 'When', 'How much', 'What', 'In time'],
    ...[
      'Below an epic',
      'Round',
      'And round',
      'Below a story',
      'Below nothing',
      'Below a story',
      'Below a rejected one',
    ],
  ])
})

test('a backlog of Jira is imported with its repeated columns', async () => {
  const { run, tree, path, client } = await createImportScenario()
  const header =
    'Summary,Issue key,Issue id,Issue Type,Status,Project key,Project name,Priority,Assignee,Created,Due date,Labels,Labels,Description,Sprint,Sprint,Custom field (Story Points),Parent,Parent key,Parent summary,Comment,Comment,Status Category'
  const rows = [
    'Checkout,ACME-1,10001,Epic,In Progress,ACME,Shop,High,ann,03/Sep/26 9:05 AM,20/Sep/26 4:30 PM,pay,,Text & <b>more</b>,,,,,,,first,second,In Progress',
    'Pay,ACME-2,10002,Story,Selected for Development,ACME,Shop,Low,,03/Sep/26 9:05 AM,,pay,mobile,,S1,S2,5,10001,ACME-1,Checkout,,,To Do',
    'Card form,ACME-3,10003,Sub-task,Done,ACME,Shop,Low,,03/Sep/26 9:05 AM,,,,,,,,10002,ACME-2,Pay,,,Done',
    'Slow,ACME-4,10004,Bug,Closed,ACME,Shop,Low,,03/Sep/26 9:05 AM,,,,,,,,99,ACME-0,Initiative,,,Done',
  ]
  const made = await run(`${header}\n${rows.join('\n')}\n`)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body.error))
  expect(made.body.data).toMatchObject({
    mapping: { preset: 'jira' },
    totals: { created: 4, rejected: 0 },
    warnings: [
      { field: 'assignee', rows: 1, became: 'attributes.assignee' },
      { field: 'parent', rows: 1, became: null },
    ],
  })
  expect(await tree()).toEqual([['Checkout', 'Pay', 'Card form'], 'Slow'])
  const item = async (key: string) => (await client<Record<string, unknown>>('GET', `${path}/${key}`)).body.data
  expect(await item('EP-1')).toMatchObject({
    jiraKey: 'ACME-1',
    jiraId: '10001',
    progress: 'in-progress',
    externalProgress: 'In Progress',
    endDate: '2026-09-20T16:30:00.000Z',
    tags: '["pay"]',
    attributes: { priority: 'High', assignee: 'ann', project: 'Shop' },
  })
  expect(await item('US-1')).toMatchObject({
    tags: '["pay","mobile"]',
    storyPoint: '5',
    progress: 'to-do',
    attributes: { sprint: 'S1, S2' },
  })
  expect(await item('US-2')).toMatchObject({ progress: 'done', externalProgress: 'Done' })
  expect(
    (await client<object[]>('GET', `${path.replace('backlog', 'storyMap/card')}?tag=mobile`)).body.data.length,
  ).toBe(1)

  // Rows of a second import are matched by Jira key.
  const again = await run(`${header}\n${rows.slice(0, 3).join('\n').replaceAll('In Progress', 'Done')}\n`)
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 3 })
  const update = await run(`${header}\n${rows.slice(0, 3).join('\n').replaceAll('In Progress', 'Done')}\n`, {
    query: '?onConflict=update',
  })
  expect(update.body.data.totals).toMatchObject({ created: 0, updated: 1, skipped: 2 })
  expect(await item('EP-1')).toMatchObject({ progress: 'done', externalProgress: 'Done' })
})

test.each([
  [
    'linear',
    'ID,Team,Title,Description,Status,Estimate,Priority,Project ID,Project,Creator,Assignee,Labels,Cycle Number,Cycle Name,Cycle Start,Cycle End,Created,Updated,Started,Triaged,Completed,Canceled,Archived,Due Date,Parent issue,Initiatives,Project Milestone ID,Project Milestone,SLA Status,Roadmaps',
    'ENG-2,ENG,Pay,,Todo,3,High,,,,,"mobile, web",,,,,,,,,,,,2026-12-01,ENG-1,,,,,',
    'ENG-1,ENG,Checkout,,In Progress,,,,,,,,,,,,,,,,,,,,,,,,,',
    [['Checkout', 'Pay']],
  ],
  [
    'trello',
    'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Attachment Count,Attachment Links,Checklist Item Total Count,Checklist Item Completed Count,Vote Count,Comment Count,Last Activity Date,List ID,List Name,Board ID,Board Name,Archived,Start Date,Due Complete',
    'a1,Pay,https://trello.com/c/a1,Text,mobile,ann,2026-12-01,0,,0,0,2,0,,l1,Doing,b1,Shop,false,,false',
    'a2,Ship,https://trello.com/c/a2,,,,,0,,0,0,0,0,,l2,Done,b1,Shop,false,,false',
    ['Pay', 'Ship'],
  ],
  [
    'productboard',
    'Name,Type,Description,Status,Parent,Tags,Effort,Owner,Productboard URL,UUID',
    'Pay,Feature,,Planned,u1,mobile,3,ann@example.com,https://acme.productboard.com/f/2,u2',
    'Checkout,Epic,,In progress,,,,,https://acme.productboard.com/f/1,u1',
    [['Checkout', 'Pay']],
  ],
  [
    'asana',
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task',
    '11,2026-09-01,,2026-09-02,Pay,To do,Ann,ann@example.com,2026-09-03,2026-10-01,"mobile,web",Two pages,Launch,Checkout',
    '12,2026-09-01,,2026-09-02,Checkout,Doing,,,,,,,Launch,',
    [['Checkout', 'Pay']],
  ],
  [
    'trello-cards',
    'Name,Description,Labels,List',
    'Pay,"With a card, or later",mobile,Backlog',
    'Ship,,,Done',
    ['Pay', 'Ship'],
  ],
])('a backlog of %s is imported with its columns', async (preset, header, first, second, expected) => {
  const { run, tree } = await createImportScenario()
  const made = await run([header, first, second].join('\n'))
  expect(made.body.data).toMatchObject({ mapping: { preset }, totals: { created: 2, rejected: 0 } })
  expect(await tree()).toEqual(expected)
})

test('of alternative columns the first value counts, and a different second value is a warning', async () => {
  const { run, client, path } = await createImportScenario()
  const made = await run(
    `Summary,Issue key,Issue Type,Custom field (Story Points),Custom field (Story point estimate)
Pay,ACME-1,Story,,5
Ship,ACME-2,Story,3,3
Pack,ACME-3,Story,2,8\n`,
  )
  expect(made.body.data).toMatchObject({
    totals: { created: 3, rejected: 0 },
    warnings: [
      { field: 'storyPoint', column: 'Custom field (Story point estimate)', value: '8', rows: 1, became: null },
    ],
  })
  const points = await Promise.all(
    ['US-1', 'US-2', 'US-3'].map(async (key) => {
      const { body } = await client<{ summary: string; storyPoint: string }>('GET', `${path}/${key}`)
      return [body.data.summary, body.data.storyPoint]
    }),
  )
  expect(points).toEqual([
    ['Pay', '5'],
    ['Ship', '3'],
    ['Pack', '2'],
  ])
})

test('a parent is found by its title only if one row has the title', async () => {
  const { run, tree } = await createImportScenario()
  const made = await run(
    'type,summary,parent\nepic,Shop,\nepic,Shop,\nepic,Checkout,\nfeature,Pay,Checkout\nfeature,Ship,Shop\n',
  )
  expect(made.body.data).toMatchObject({
    totals: { created: 5, rejected: 0 },
    warnings: [{ field: 'parent', value: 'Shop', rows: 1, became: null }],
  })
  expect(await tree()).toEqual(['Shop', 'Shop', ['Checkout', 'Pay'], 'Ship'])
})

const HEADER = 'externalKey,type,summary,parent,progress,tags,plan\n'

test('onConflict=update changes known items, and an undo restores their old values', async () => {
  const { run, tree, client, path } = await createImportScenario()
  await run(`${HEADER}A,epic,Shop,,,,\nB,feature,Checkout,A,,,\nC,story,Pay,B,to-do,"[""old""]",x\nD,epic,Other,,,,\n`)
  const before = await client<object[]>('GET', `${path.replace('backlog', 'storyMap/card')}`)
  const file = `${HEADER}US-1,story,Pay by card,EP-2,done,"[""new""]",y\nEP-1,epic,Shop,,,,\nE,story,New,FE-1,,,\n`
  const dry = await run(file, { query: '?onConflict=update&dryRun=true' })
  expect(dry.body.data).toMatchObject({ totals: { created: 1, updated: 1, skipped: 1 } })
  expect(dry.body.data.preview).toEqual([
    expect.objectContaining({ externalKey: 'US-1', summary: 'Pay by card', parent: 'EP-2' }),
    expect.objectContaining({ type: 'userstory', summary: 'New', parent: 'FE-1' }),
  ])
  const made = await run(file, { query: '?onConflict=update' })
  expect(made.body.data.totals).toMatchObject({ created: 1, updated: 1, skipped: 1, rejected: 0 })
  expect(await tree()).toEqual([
    ['Shop', ['Checkout', 'New']],
    ['Other', 'Pay by card'],
  ])
  const cards = `${path.replace('backlog', 'storyMap/card')}`
  const found = async (tag: string) => (await client<object[]>('GET', `${cards}?tag=${tag}`)).body.data.length
  expect([await found('old'), await found('new')]).toEqual([0, 1])
  const undone = await client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect(undone.body.data).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await tree()).toEqual([['Shop', ['Checkout', 'Pay']], 'Other'])
  expect([await found('old'), await found('new')]).toEqual([1, 0])
  const after = await client<Record<string, unknown>[]>('GET', cards)
  const known = (items: object[]) => items.map((item) => ({ ...item, updatedAt: '' }))
  expect(known(after.body.data)).toEqual(known(before.body.data))
  expect((await run(file, { query: '?onConflict=update' })).body.data.totals).toMatchObject({ created: 1, updated: 1 })
})

test('an undo keeps changed items and items that still have children', async () => {
  const { run, tree, client, path, product } = await createImportScenario()
  const made = await run(
    `${HEADER}A,epic,Shop,,,,\nB,feature,Checkout,A,,,\nC,story,Pay,B,,,\nD,epic,Changed,,,,\nE,epic,Held,,,,\nF,story,Moved,E,,,\n`,
  )
  const P = `/api/initiatives/${product.externalKey}`
  await client('PUT', `${P}/epics/EP-2`, { json: { summary: 'Changed by hand' } })
  await client('PUT', `${P}/storyMap/card/US-2`, { json: { progress: 'done' } })
  await client('POST', `${P}/epics`, { json: { summary: 'By hand' } })
  const { body } = await client<{ kept: { row: number; reason: string }[] }>(
    'POST',
    `/api/v2/imports/${made.body.data.id}/undo`,
  )
  expect(body.data).toMatchObject({ status: 'undone', totals: { kept: 3 } })
  expect(body.data.kept.map(({ row }) => row)).toEqual([4, 5, 6])
  expect(await tree()).toEqual(['Changed by hand', ['Held', 'Moved'], 'By hand'])
  expect((await client('GET', `${path}/FE-1`)).status).toBe(404)
})

test('an undo of people does not touch items with the same ids', async () => {
  const { run, tree, client } = await createImportScenario()
  await run(`${HEADER}A,epic,One,,,,\nB,epic,Two,,,,\nC,epic,Three,,,,\nD,epic,Four,,,,\n`)
  const json = Array.from({ length: 40 }, (_, n) => ({ email: `p${n}@example.com` }))
  const people = await client<{ id: number }>('POST', '/api/v2/idea-manager/members/import-users', {
    json,
    env: { QUEUE },
  })
  expect((await client('POST', `/api/v2/imports/${people.body.data.id}/undo`)).body.data).toMatchObject({
    status: 'undone',
  })
  expect(await tree()).toEqual(['One', 'Two', 'Three', 'Four'])
})

test('an import is visible only to keys with its product and the backlog scope', async () => {
  const { run, key, client, path, product } = await createImportScenario()
  const { id } = (await run(`${HEADER}A,epic,Shop,,,,\n`)).body.data
  const other = (await client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })).body.data
  const beyond = await key({ products: [other.id] })
  const reader = await key({ scopes: ['backlog:read'] })
  const people = await key({ scopes: ['segments:read', 'segments:write'] })
  const own = await key({ products: [product.id] })
  const status = async (method: 'GET' | 'POST', at: string, apiKey: string) =>
    (await call(method, at, { apiKey })).status
  for (const [apiKey, read, undo] of [
    [beyond, 404, 404],
    [people, 404, 404],
    [reader, 200, 403],
    [(await createWorkspace().then((stranger) => stranger.key())) as string, 404, 404],
  ] as const) {
    expect(await status('GET', `/api/v2/imports/${id}`, apiKey)).toBe(read)
    expect(await status('POST', `/api/v2/imports/${id}/undo`, apiKey)).toBe(undo)
  }
  const showsData = async (...scopes: string[]) => {
    const { body } = await call<{ data: object | null }[]>('GET', '/api/v2/events?type=import.completed', {
      apiKey: await key({ scopes: ['events:read', ...scopes] }),
    })
    return body.data.map(({ data }) => data !== null)
  }
  expect([await showsData('segments:read'), await showsData('backlog:read')]).toEqual([[false], [true]])
  const list = async (apiKey: string) => (await call<object[]>('GET', '/api/v2/imports', { apiKey })).body.data.length
  expect([await list(beyond), await list(people), await list(reader), await list(own)]).toEqual([0, 0, 1, 1])
  const json = [{ summary: 'By a reader' }]
  expect((await call('POST', `${path}/import`, { apiKey: reader, json, env: { QUEUE } })).status).toBe(403)
  expect((await call('POST', `${path}/import`, { apiKey: beyond, json, env: { QUEUE } })).status).toBe(403)
  expect((await call('POST', `${path}/import`, { apiKey: own, json, env: { QUEUE } })).status).toBe(201)
  expect(await status('POST', `/api/v2/imports/${id}/undo`, own)).toBe(200)
})

test('HTML in a file is sanitized, and a formula is escaped in the export', async () => {
  const { run, path, key } = await createImportScenario()
  await run('summary,description\n=SUM(A1),"<p onclick=""x()"">Hi<script>alert(1)</script></p>"\n')
  const { response } = await send('GET', `${path}/export`, { apiKey: await key() })
  const csv = await response.text()
  expect(csv).toContain(`"'=SUM(A1)",<p>Hi</p>,`)
})

runtimeTest('a row costs the same in a product with many items', async () => {
  const { run } = await createImportScenario()
  const rows = (from: number) => Array.from({ length: 300 }, (_, n) => `S-${from + n},Story ${from + n}\n`).join('')
  const read: number[] = []
  for (const from of [0, 300, 600, 900]) {
    const made = await run(`name,summary\n${rows(from)}`)
    expect(made.body.data.totals.created).toBe(300)
    read.push(made.cost.rowsRead)
  }
  expect(read[3]).toBeLessThan(1.1 * (read[0] ?? 0))
})

test('the cells of a column decide the order of day and month, and the preview says so', async () => {
  const { run, client, path } = await createImportScenario()
  const file = [
    'summary,start,due date,created,story points',
    'A,03/04/2026,31/Dec/26 9:05 AM,25/12/2025,"2,5"',
    'B,46053,31/Jan/25,01/02/2026,"1,000"',
  ].join('\n')
  const preview = await run(file, { query: '?dryRun=true' })
  const columns = preview.body.data.mapping.columns.flatMap(({ column, dates }) => (dates ? [[column, dates]] : []))
  expect(columns).toEqual([
    ['start', 'dmy'],
    ['due date', 'iso'],
    ['created', 'dmy'],
  ])
  const made = await run(file)
  expect(made.body.data).toMatchObject({ totals: { created: 2 }, mapping: preview.body.data.mapping })
  expect(made.body.data.warnings).toEqual(preview.body.data.warnings)
  expect(made.body.data.warnings).toMatchObject([
    { field: 'endDate', value: '31/Jan/25', rows: 1, reason: 'Must not be before startDate.' },
  ])
  const read = async (key: string) => (await client<object>('GET', `${path}/${key}`)).body.data
  expect(await read('US-1')).toMatchObject({
    ...{ startDate: '2026-04-03T00:00:00.000Z', endDate: '2026-12-31T09:05:00.000Z', storyPoint: '2.5' },
    createdAt: '2025-12-25T00:00:00.000Z',
  })
})

test('a date whose day and month can be exchanged is left out until the request says the order', async () => {
  const { run, client, path } = await createImportScenario()
  const file = 'summary,due date\nA,03/04/2026\n'
  const made = await run(file)
  expect(made.body.data).toMatchObject({
    mapping: { columns: [{ column: 'summary' }, { column: 'due date', dates: null }] },
    warnings: [{ field: 'endDate', column: 'due date', value: '03/04/2026', rows: 1, became: null }],
  })
  expect(made.body.data.warnings[0]?.reason).toContain('dates=dmy or dates=mdy')
  await run(file, { query: '?dates=mdy' })
  const items = await client<{ endDate: string | null }[]>(
    'GET',
    `${path.replace('backlog', 'storyMap/card')}?sort=createdAt`,
  )
  expect(items.body.data.map(({ endDate }) => endDate)).toEqual([null, '2026-03-04T00:00:00.000Z'])
})
