import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, expect, test, vi } from 'vitest'
import { lockState } from '../../scripts/service/lock'
import { passOnLines } from '../../scripts/service/output'

const state = mkdtempSync(path.join(tmpdir(), 'groundwork-start-'))
afterAll(() => rmSync(state, { recursive: true, force: true }))

const SECRET = 'xxxxxxxxxxxxxxxxxxxx-Y_-Y_-Y_-Y_-Y_-Y_-Y_zz'
const TOKEN = `12-${SECRET}`

/** Pipes chunks through the output of `npm start`. */
async function printed(...chunks: string[]): Promise<string> {
  const [from, to] = [new PassThrough(), new PassThrough()]
  const read = passOnLines(from, (line) => to.write(`${line}\n`))
  for (const chunk of chunks) from.write(chunk)
  from.end()
  await read
  to.end()
  return (await to.toArray()).join('')
}

test.each([
  [`[wrangler:info] POST /api/hooks/${TOKEN} 202 Accepted (5ms)`, 'POST /api/hooks/12-•••• 202 Accepted (5ms)'],
  [`POST /api/%68ooks/${TOKEN} 202`, 'POST /api/%68ooks/12-•••• 202'],
  [`POST /api/hooks/${TOKEN.replace('-', '%2D')} 202`, 'POST /api/hooks/12-•••• 202'],
  [`GET /api/hooks/${TOKEN.replace('x', '%78')}?challenge=1 200`, 'GET /api/hooks/12-••••?challenge=1 200'],
  [`GET /api/hooks/${TOKEN.replace('x', '%2578')}/ 404`, 'GET /api/hooks/12-••••/ 404'],
  [`two: http://a.test/api/hooks/${TOKEN}, /api/hooks/${TOKEN}`, '/api/hooks/12-••••, /api/hooks/12-••••'],
])('the output of npm start shows no token: %s', async (line, shown) => {
  const text = await printed(line.slice(0, 40), `${line.slice(40)}\nPOST /api/hooks/mail/resend 200\n`)
  expect(text).toContain(shown)
  expect(text).not.toMatch(/xxxxx|Y_-Y/)
  expect(text).toContain('POST /api/hooks/mail/resend 200\n')
})

test('the output passes on a last line without a line end', async () => {
  expect(await printed('one\ntw', 'o')).toBe('one\ntwo\n')
})

test('work on the local state waits for running work, and ignores a lock of a dead process', async () => {
  const order: string[] = []
  const work = (name: string, until: Promise<void>) =>
    lockState(state, async () => {
      order.push(`${name} begins`)
      await until
      order.push(`${name} ends`)
    })
  const [gate, triedAgain] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const start = work('start', gate.promise)
  // A second try of the lock follows the first refusal.
  const pauses = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((retry: () => void) => {
    queueMicrotask(retry)
    if (pauses.mock.calls.length === 2) triedAgain.resolve()
    if (pauses.mock.calls.length > 1) pauses.mockRestore()
  }) as never)
  const key = work('key', Promise.resolve())
  await triedAgain.promise
  expect(order).toEqual(['start begins'])
  gate.resolve()
  await Promise.all([start, key])
  expect(order).toEqual(['start begins', 'start ends', 'key begins', 'key ends'])
  await expect(lockState(state, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  writeFileSync(path.join(state, 'setup.lock'), '999999999')
  await work('later', Promise.resolve())
  expect(order.at(-1)).toBe('later ends')
  writeFileSync(path.join(state, 'setup.lock'), String(process.ppid))
  await expect(lockState(state, async () => order.push('never'), { patience: 0 })).rejects.toThrow('setup.lock')
  expect(order.at(-1)).toBe('later ends')
})
