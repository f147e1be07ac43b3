import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildConsole } from '../../scripts/console/build'
import { buildPortalAssets, buildWidget } from '../../scripts/portal/assets'
import { buildPageAssets } from '../../scripts/service/page-assets'

const root = path.resolve(import.meta.dirname, '../..')
const assets = buildPortalAssets()
const sizeOf = (extension: string) =>
  assets.filter(({ name }) => name.endsWith(extension)).reduce((sum, { text }) => sum + gzipSync(text).length, 0)

test('the pages name the styles and scripts as they are built', async () => {
  const file = path.join(root, 'src/http/page-assets.json')
  const { addresses } = await buildPageAssets()
  expect(readFileSync(file, 'utf8'), 'Run `node scripts/run.mjs service/assets`.').toBe(addresses)
})

test('the shell of the console weighs at most 150 kB, and a screen at most 60 kB', async () => {
  const { files, script, style } = await buildConsole()
  const sizes = files.map(({ address, text }) => ({ address, size: gzipSync(text).length }))
  const shell = sizes.filter(({ address }) => address === script || address === style)
  expect(shell).toHaveLength(2)
  expect(shell.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(150_000)
  expect(sizes.length).toBeGreaterThan(4)
  for (const { address, size } of sizes) expect(size, address).toBeLessThanOrEqual(60_000)
})

// A page of the portal weighs at most 30 kB in all.
test('the stylesheets weigh at most 8 kB, the scripts at most 3 kB', () => {
  expect(sizeOf('.css')).toBeGreaterThan(1_000)
  expect(sizeOf('.css')).toBeLessThanOrEqual(8_000)
  expect(sizeOf('.js')).toBeGreaterThan(300)
  expect(sizeOf('.js')).toBeLessThanOrEqual(3_000)
})

test('the widget weighs at most 5 kB', () => {
  const size = gzipSync(buildWidget()).length
  expect(size).toBeGreaterThan(500)
  expect(size).toBeLessThanOrEqual(5_000)
})

test('the styles have no address, and move for 150 ms at most', () => {
  for (const { name, text } of assets.filter(({ name }) => name.endsWith('.css'))) {
    expect(text, name).not.toMatch(/url\(|@import/)
    const durations = Array.from(text.matchAll(/[: ,](\d*\.?\d+)(m?s)\b/g), ([, value, unit]) =>
      unit === 'ms' ? Number(value) : 1_000 * Number(value),
    )
    expect(
      durations.every((ms) => ms <= 150),
      `${name}: ${durations}`,
    ).toBe(true)
  }
})
