import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildPortalAssets, buildWidget, renderAssetAddresses } from '../../scripts/portal/assets'

const root = path.resolve(import.meta.dirname, '../..')
const assets = buildPortalAssets()
const sizeOf = (extension: string) =>
  assets.filter(({ name }) => name.endsWith(extension)).reduce((sum, { text }) => sum + gzipSync(text).length, 0)

test('the pages name the styles and scripts as they are built', () => {
  const file = path.join(root, 'src/http/page-assets.json')
  expect(readFileSync(file, 'utf8'), 'Run `node scripts/run.mjs service/assets`.').toBe(renderAssetAddresses(assets))
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
