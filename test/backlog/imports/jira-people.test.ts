import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario } from './scenario'

interface Exported {
  summary: string
  description: string | null
  comments: { text: string; email: string | null }[]
}

const [ANN, BOB, CY, DEE] = [1, 2, 3, 4].map((n) => `712020:00000000-0000-4000-8000-00000000000${n}`)

async function createPeopleScenario() {
  const here = await createImportScenario()
  return {
    ...here,
    async export() {
      const { response } = await send('GET', `${here.path}/export?format=json&include=comments`, {
        apiKey: await here.key(),
      })
      return ((await response.json()) as Exported[]).map(({ summary, description, comments }) => ({
        ...{ summary, description },
        comments: comments.map(({ text, email }) => [email, text]),
      }))
    },
  }
}

test('authors and mentions of Jira get the names that any row of the file gives their accounts', async () => {
  const here = await createPeopleScenario()
  const file = `Summary,Issue key,Issue Type,Status,Assignee,Assignee Id,Reporter,Reporter Id,Creator,Creator Id,Watchers,Watchers,Watchers Id,Watchers Id,Description,Comment,Comment
Pay,ACME-1,Story,Open,,,,,,,,,,,Ask [~accountid:${ANN}] and [~accountid:${DEE}] or [~bob],03/Sep/26 9:05 AM;${BOB};Done [~accountid:${ANN}],04/Sep/26 9:05 AM;${DEE};Why?
Ship,ACME-2,Story,Open,Ann <Li> & Co,${ANN},Bob,${BOB},Bob,${BOB},Ann <Li> & Co,cy@example.com,${ANN},${CY},,05/Sep/26 9:05 AM;${CY};Mine,06/Sep/26 9:05 AM;ann;Text
`
  const preview = await here.run(file, { query: '?dryRun=true' })
  const made = await here.run(file)
  expect(made.body.data).toMatchObject({ totals: { created: 2 }, warnings: preview.body.data.warnings })
  expect(preview.body.data.preview?.[0]).toMatchObject({
    description: 'Ask Ann &#x3C;Li> &#x26; Co and someone or bob',
  })
  expect(await here.export()).toMatchObject([
    {
      description: 'Ask Ann &#x3C;Li> &#x26; Co and someone or bob',
      comments: [
        [expect.anything(), 'Bob: Done Ann &#x3C;Li> &#x26; Co'],
        [expect.anything(), 'Why?'],
      ],
    },
    {
      comments: [
        ['cy@example.com', 'Mine'],
        [expect.anything(), 'ann: Text'],
      ],
    },
  ])
})

test('a name of a Jira account cannot smuggle a script into a text', async () => {
  const here = await createPeopleScenario()
  const file = `Summary,Issue key,Issue Type,Status,Creator,Creator Id,Description
Pay,ACME-1,Story,Open,javascript:alert(1),${ANN},<a href="[~accountid:${ANN}]">x</a>
Ship,ACME-2,Story,Open,"x"" onclick=""alert(1)",${BOB},<a href="https://acme.example/[~accountid:${BOB}]">x</a>
`
  await here.run(file)
  const texts = (await here.export()).map(({ description }) => description)
  expect(texts[0]).not.toContain('javascript:')
  expect(texts[1]).not.toMatch(/<[^>]*" onclick/)
})

test('texts that are not of Jira keep signs like a mention', async () => {
  const here = await createPeopleScenario()
  await here.run('summary,description\nPay,The pattern [~bob]\n')
  expect(await here.export()).toMatchObject([{ description: 'The pattern [~bob]' }])
})

test('many mentions of a long name lengthen a text within bounds', async () => {
  const here = await createPeopleScenario()
  const [name, mentions] = ['N'.repeat(100), '[~x] '.repeat(2_000)]
  await here.run(`Summary,Issue key,Issue Type,Status,Creator,Creator Id,Description,Comment
Pay,ACME-1,Story,Open,${name},x,${mentions},03/Sep/26 9:05 AM;x;${mentions}
`)
  const [item] = await here.export()
  for (const text of [item?.description ?? '', String(item?.comments[0]?.[1]).replace(`${name}: `, '')]) {
    expect(text).toMatch(/^N{100} N{100} [Nx ]* x x ?$/)
    expect(text.length).toBeLessThanOrEqual(2 * mentions.length + 500)
  }
})
