// What the service is held to, and whether a run held it.

export const TARGETS = {
  ratio: 0.85, // of the floor's requests per second: single reads, lists, single writes
  growth: 1.15, // p50 at 100,000 records over p50 at 1,000
  upload: 2, // times the floor's time for 100,000 records
  far: 1.1, // times the delay of one call to the database: what makes one
  startup: 1.5, // times that of a bare Hono and zod worker
  gzip: 250, // kB
}

/** One line per target: what, the figure, the limit, and whether it holds. */
export function judge({ results, startup, gzip, far }) {
  const lines = []
  const line = (what, figure, limit, held) => lines.push({ what, figure, limit, held })
  if (far) {
    const limit = TARGETS.far * far
    for (const { title, trips, app, floor } of results) {
      if (trips !== 1) continue
      line(`${title}: p50`, app.p50, `≤ ${limit.toFixed(0)} ms; the floor ${floor.p50.toFixed(1)}`, app.p50 <= limit)
    }
    return lines
  }
  for (const { title, size, kind, ratio, cpuRatio } of results) {
    if (kind !== 'read' && kind !== 'write') continue
    line(
      `${title}, ${thousands(size)}: requests of the floor's`,
      ratio,
      `≥ ${TARGETS.ratio}${byTime(cpuRatio)}`,
      ratio >= TARGETS.ratio,
    )
  }
  for (const { title, size, growth } of results) {
    if (growth === null || size !== 100_000) continue
    line(`${title}: p50 at 100,000 over 1,000`, growth, `≤ ${TARGETS.growth}`, growth <= TARGETS.growth)
  }
  for (const { title, kind, ratio } of results) {
    if (kind === 'upload')
      line(`${title}: times the floor`, 1 / ratio, `≤ ${TARGETS.upload}`, 1 / ratio <= TARGETS.upload)
  }
  if (startup)
    line('start-up: times a bare worker', startup.ratio, `≤ ${TARGETS.startup}`, startup.ratio <= TARGETS.startup)
  line('the worker, compressed, in kB', gzip, `< ${TARGETS.gzip}`, gzip < TARGETS.gzip)
  return lines
}

const byTime = (ratio) => (ratio === null ? '' : `; ${ratio.toFixed(2)} by processor time`)

export const thousands = (number) => Math.round(number).toLocaleString('en-US')
