import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../web/console/src/style')
/** Styles of several screens. The other files belong to one screen each, and all files are loaded at once. */
const SHARED = ['parts.css', 'shell.css', 'table.css', 'panes.css', 'work.css']

const SELECTORS = /([^{}]+)\{/g

function listSelectors(file: string): string[] {
  const text = readFileSync(path.join(folder, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const preludes = Array.from(text.matchAll(SELECTORS), ([, prelude = '']) => prelude.trim())
  return preludes.filter((prelude) => !prelude.startsWith('@')).flatMap((prelude) => prelude.split(/,(?![^(]*\))/))
}

const ALONE = /^\.([\w-]+)(?:::?[\w-]+)*$/
const classesIn = (selector: string) => Array.from(selector.matchAll(/\.([\w-]+)/g), ([, name = '']) => name)

test('a class with a rule of its own in the style of a screen stands in no style of another screen', () => {
  const files = readdirSync(folder).filter((file) => !SHARED.includes(file))
  expect(files.length).toBeGreaterThan(4)
  const selectors = new Map(files.map((file) => [file, listSelectors(file).map((selector) => selector.trim())]))
  const collisions = files.flatMap((file) => {
    const own = new Set((selectors.get(file) ?? []).flatMap((selector) => ALONE.exec(selector)?.[1] ?? []))
    return files
      .filter((other) => other !== file)
      .flatMap((other) =>
        (selectors.get(other) ?? [])
          .flatMap(classesIn)
          .filter((name) => own.has(name))
          .map((name) => `.${name} of ${file} also acts on ${other}`),
      )
  })
  expect([...new Set(collisions)]).toEqual([])
})

test('no layout class shows a popover that is closed', () => {
  const screens = path.resolve(folder, '..')
  const files = readdirSync(screens, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const popovers = files.flatMap((file) =>
    Array.from(
      readFileSync(path.join(screens, file), 'utf8').matchAll(/<[^<>]*\spopover="auto"[^<>]*>/g),
      ([tag]) => tag,
    ),
  )
  expect(popovers.length).toBeGreaterThan(4)
  // These classes set `display`, and win over the browser's rule for closed popovers.
  expect(popovers.filter((tag) => /class="[^"]*\b(?:stack|row)\b/.test(tag))).toEqual([])
})
