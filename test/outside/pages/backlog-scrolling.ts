// Measures the scrolling of a long tree, as a ratio to an empty tree.
import type { BrowserContext, Page } from 'playwright-core'
import { stamp } from './backlog-items.ts'
import { check, serviceUrl } from './inspect.ts'
import { call } from './session.ts'

const LARGE = `BL-L${stamp}`
const EPICS = 100
const FEATURES = 9
const STORIES = 10
const FRAMES = 150
const PX_PER_FRAME = 120

async function createManyItems(): Promise<number> {
  await call('POST', '/api/initiatives', { name: 'Large', externalKey: LARGE })
  let count = 0
  for (let e = 0; e < EPICS; e += 10) {
    const operations: object[] = []
    for (let epic = e; epic < e + 10; epic++) {
      operations.push({ op: 'create', type: 'epic', ref: `e${epic}`, body: { summary: `Epic ${epic}` } })
      for (let f = 0; f < FEATURES; f++) {
        const ref = `f${epic}-${f}`
        operations.push({
          op: 'create',
          type: 'feature',
          ref,
          parentRef: `e${epic}`,
          body: { summary: `Feature ${f}` },
        })
        for (let s = 0; s < STORIES; s++)
          operations.push({
            op: 'create',
            type: 'userstory',
            parentRef: ref,
            body: { summary: `Story ${s}`, storyPoint: '3' },
          })
      }
    }
    for (let at = 0; at < operations.length; at += 1_000) {
      const part = operations.slice(at, at + 1_000)
      count += part.length
      await call('POST', `/api/initiatives/${LARGE}/backlog/bulk`, part)
    }
  }
  return count
}

/** Scrolls like a fast wheel, and answers the times between frames. */
const SCROLL = `async () => {
  const main = document.querySelector('main')
  const times = []
  let last = 0
  const frame = () => new Promise((resolve) => requestAnimationFrame((now) => { times.push(now - last); last = now; resolve() }))
  await frame()
  await frame()
  times.length = 0
  for (let n = 1; n <= ${FRAMES}; n++) {
    main.scrollTop += ${PX_PER_FRAME}
    await frame()
  }
  times.sort((one, other) => one - other)
  const at = (part) => times[Math.floor((times.length - 1) * part)]
  return { median: at(0.5), high: at(0.95), longest: at(1), rows: document.querySelectorAll('tr[data-key]').length }
}`

interface Scrolled {
  median: number
  high: number
  longest: number
  rows: number
}

/** Times in ms; `work` is the processor time of the page in a frame, which does not depend on other processes. */
async function scroll(page: Page): Promise<Scrolled & { work: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readWork = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
  const before = await readWork()
  const scrolled = (await page.evaluate(`(${SCROLL})()`)) as Scrolled
  return { ...scrolled, work: ((await readWork()) - before) / FRAMES }
}

/** Half of the 50 ms that a frame may take. */
const MAX_WORK_MS = 25

export async function measureScrolling(context: BrowserContext): Promise<string> {
  const count = await createManyItems()
  const page = await context.newPage()
  await page.goto(`${serviceUrl}/console/backlog?product=${LARGE}&q=nothinglikethis`)
  await page.getByRole('heading', { name: 'No item matches these filters' }).waitFor()
  const empty = await scroll(page)
  await page.goto(`${serviceUrl}/console/backlog?product=${LARGE}&open=all`)
  await page.getByText(`${count.toLocaleString('en')} items`).waitFor()
  const long = await scroll(page)
  check(long.rows > 10 && long.rows < 100, `${long.rows} rows exist at once`)
  check(
    long.work - empty.work <= MAX_WORK_MS,
    `A frame of the long tree works for ${long.work} ms, of an empty tree for ${empty.work} ms`,
  )
  await page.close()
  const show = ({ work, median, high, longest }: Scrolled & { work: number }) =>
    `${work.toFixed(1)} ms of work and ${[median, high, longest].map((ms) => ms.toFixed(0)).join('/')} ms (median/95 %/longest)`
  return `Frames of ${count} items take ${show(long)}; of an empty tree ${show(empty)}.`
}
