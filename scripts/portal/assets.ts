import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync, transformSync } from 'esbuild'

const styleFolder = path.join(import.meta.dirname, 'style')
const browserFolder = path.join(import.meta.dirname, 'browser')

/** The first stylesheet holds the components, the second the layout of the portal. */
const STYLES = {
  'base.css': ['tokens', 'elements', 'fields', 'parts', 'cards', 'prose', 'media'],
  'portal.css': ['layout', 'ideas', 'pages', 'plain'],
}
const SCRIPTS = ['theme.js', 'portal.js']

const HASH_CHARACTERS = 10

export interface PortalAsset {
  name: string
  /** Path of the address; holds a hash of the content. */
  address: string
  text: string
}

function createAsset(name: string, text: string): PortalAsset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS)
  const [stem, extension] = name.split('.')
  return { name, address: `/assets/${stem}.${hash}.${extension}`, text }
}

function buildStyle(parts: readonly string[]): string {
  const text = parts.map((part) => readFileSync(path.join(styleFolder, `${part}.css`), 'utf8')).join('\n')
  return transformSync(text, { loader: 'css', minify: true, target: 'esnext' }).code
}

function buildScript(name: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(browserFolder, name.replace(/js$/, 'ts'))],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** Pages of other sites name the script, so its address never changes. */
export const buildWidget = (): string => buildScript('widget.js')

export const buildPortalAssets = (): PortalAsset[] => [
  ...Object.entries(STYLES).map(([name, parts]) => createAsset(name, buildStyle(parts))),
  ...SCRIPTS.map((name) => createAsset(name, buildScript(name))),
]
