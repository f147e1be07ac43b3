import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { extractSnippet } from '../../../src/feedback/search/snippet'
import { FOLDED_LETTERS, listSearchTerms, toIndexedTerm } from '../../../src/text/folding'
import { fillNewColumns, findWaitingFill } from '../../../src/workspace/fills/fills'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'

/** A text, what readers of the language type, and what stands for something else. */
const CASES: [text: string, found: string[], missed: string[]][] = [
  ['测试搜索功能', ['搜索', '搜索功能', '测试', '功能', '测试 功能'], ['索搜', '功试']],
  ['検索機能を改善する', ['機能', '改善', '検索'], ['能機']],
  ['カタカナのデータベース', ['データ', 'ベース'], ['スーベ']],
  ['ค้นหาข้อมูลลูกค้า', ['ข้อมูล', 'ลูกค้า'], ['ลาว']],
  ['한국어검색기능', ['검색', '기능'], ['색검']],
  ['ຊອກຫາຂໍ້ມູນ', ['ຂໍ້ມູນ'], []],
  ['ការស្វែងរកទិន្នន័យ', ['ទិន្នន័យ'], []],
  ['𠮷野家のiPhoneアプリ', ['野家', 'iphone', 'アプリ', 'iPhoneアプリ'], ['家野']],
  ['Łódź Øresund Đorđe', ['lodz', 'łódź', 'LODZ', 'oresund', 'dorde', 'Øresund'], ['lutz']],
  ['Straße Æbler œuvre þing ðe', ['strasse', 'STRASSE', 'aebler', 'oeuvre', 'thing', 'de'], ['stras-se-x']],
  ['Diyarbakır ışık', ['diyarbakir', 'isik'], []],
  ['Ёлка Андрей Київ', ['елка', 'андреи', 'киів', 'Ёлка'], []],
  ['Ταχύτητα φόρτωσης', ['ταχυτητα', 'φορτωσησ', 'ΦΟΡΤΩΣΗΣ'], []],
  ['مُحَمَّد أحمد', ['محمد', 'احمد'], []],
  ['ＡＢＣ １２３', ['abc', '123'], []],
  ['Learn C++ today', ['C++', 'c++'], ['C#']],
  ['Learn C# today', ['C#'], ['C++', 'F#']],
  ['Move to .NET', ['.NET', '.net', 'NET'], []],
  ['.NET at the start', ['.NET'], []],
  ['NET without a dot', ['NET'], ['.NET']],
  ['ASP.NET Core', ['ASP.NET', 'asp.net core'], []],
  [
    'Price in €5 of Acme™, ‼️ №7, √2 ± 1, ㊙️, Ⓜ️',
    ['€', '€5', '™', 'acme', '‼️', '‼', '№', '√', '±', '㊙️', 'Ⓜ️'],
    ['∞', '⁉️', '℠'],
  ],
  ['Launch 🚀soon', ['🚀', 'soon', '🚀 launch'], ['🔥']],
  ['I ❤️ it 👍🏽', ['❤️', '❤', '👍', '👍🏽'], ['☀️', '👎']],
  ['Vote 1️⃣ 🇩🇪', ['🇩🇪', '1'], ['🇫🇷']],
]

const searchKeys = async ({ client }: Workspace, q: string) =>
  (await client<{ externalKey: string }[]>('GET', `/api/v2/search?${new URLSearchParams({ q })}`)).body.data.map(
    ({ externalKey }) => externalKey,
  )

const createIdea = async ({ client, product }: Workspace, title: string) =>
  (
    await client<{ external_key: string }>('POST', '/api/feedback-items', {
      json: { title, product: product.externalKey },
    })
  ).body.data.external_key

test.each(CASES)('%s is found by %j', async (text, found, missed) => {
  const world = await createWorkspace()
  const { client, product } = world
  const key = await createIdea(world, text)
  const epics = `/api/initiatives/${product.externalKey}/epics`
  const json = { summary: 'Words', description: `<p>${text}</p>` }
  const epic = (await client<{ externalKey: string }>('POST', epics, { json })).body.data.externalKey
  for (const q of [text, ...found]) {
    expect([q, (await searchKeys(world, q)).sort()]).toEqual([q, [epic, key].sort()])
    const listed = await client<unknown[]>('GET', `/api/feedback-items?${new URLSearchParams({ q })}`)
    expect([q, listed.body.data.length]).toEqual([q, 1])
  }
  for (const q of missed) expect([q, await searchKeys(world, q)]).toEqual([q, []])
})

test('people, teams and a portal are searched by folded letters', async () => {
  const { client } = await createWorkspace()
  await client('POST', '/api/v2/idea-manager/members?invite=false', {
    json: { email: 'l+1@example.com', firstName: 'Łukasz', lastName: '田中太郎' },
  })
  await client('POST', '/api/v2/teams', { json: { name: 'Øst' } })
  for (const q of ['lukasz', '太郎', 'l+1@example.com']) {
    const people = await client<unknown[]>('GET', `/api/v2/idea-manager/members?${new URLSearchParams({ q })}`)
    expect([q, people.body.data.length]).toEqual([q, 1])
  }
  expect((await client<unknown[]>('GET', '/api/v2/teams?q=ost')).body.data).toHaveLength(1)
})

test('ideas with words of a title in Chinese are alike', async () => {
  const world = await createWorkspace()
  const first = await createIdea(world, '改善搜索功能')
  const second = await createIdea(world, '搜索功能太慢')
  const { body } = await world.client<{ external_key: string }[]>('GET', `/api/feedback-items/${first}/similar`)
  expect(body.data.map(({ external_key }) => external_key)).toEqual([second])
})

test('a snippet shows the words that were found', () => {
  const text = `${'很长的文字。'.repeat(100)}搜索功能${'在后面。'.repeat(100)}`
  expect(extractSnippet(text, '搜索')).toContain('搜索功能')
  expect(extractSnippet(`${'word '.repeat(100)}Łódź ${'word '.repeat(100)}`, 'lodz')).toContain('Łódź')
})

test('a query folds as the index does', async () => {
  const texts = [...FOLDED_LETTERS.map(([letter]) => `a${letter}b`), '测試', '🚀', '©', 'ｱｲ', 'ＡＺ＋']
  for (const text of texts) {
    await env.DB.prepare("INSERT INTO search_entries (id, scope, title, body) VALUES (?, 'fold', ?, '')")
      .bind(16_000_003, text)
      .run()
    const words = listSearchTerms(text).map((term) => `"${toIndexedTerm(term)}"`)
    const row = await env.DB.prepare('SELECT rowid FROM search WHERE search MATCH ?')
      .bind(`scope:fold AND title:(${words.join(' AND ')})`)
      .first()
    expect([text, words, row !== null]).toEqual([text, words, true])
    await env.DB.prepare('DELETE FROM search WHERE rowid = 16000003').run()
  }
})

test('the cron indexes present records again, once', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world, '测试搜索功能')
  const id = await env.DB.prepare('SELECT id FROM feedback_items WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .first<number>('id')
  const scope = `s${world.subscriptionId}k3 p${world.product.id}k3`
  await env.DB.batch([
    env.DB.prepare('DELETE FROM search WHERE rowid = ?').bind(Number(id) * 16 + 3),
    env.DB.prepare("INSERT INTO search (rowid, scope, title, body) VALUES (?, ?, '测试搜索功能', '')").bind(
      ...[Number(id) * 16 + 3, scope],
    ),
    env.DB.prepare('DELETE FROM fills'),
  ])
  expect(await searchKeys(world, '搜索')).toEqual([])
  const store = openStore(env.DB, readClock())
  for (let run = 0; run < 2; run++) await fillNewColumns({ store })
  expect(await searchKeys(world, '搜索')).toEqual([key])
  expect(await findWaitingFill(store)).toBeUndefined()
})
