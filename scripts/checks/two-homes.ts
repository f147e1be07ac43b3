import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.ts'

/** Number of the second home. */
export const EU = 1

const HOMES = `0:default:DB:FILES ${EU}:eu:DB_EU:FILES_EU`

/**
 * Writes the configuration of a service with two homes and without rate limits, for GROUNDWORK_CONFIG. The file is beside
 * wrangler.toml, because its paths are relative. Returns the path.
 */
export function writeTwoHomesConfiguration(name: string): string {
  const file = path.join(root, name)
  const text = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
    .replaceAll(/limit = \d+/g, 'limit = 1_000_000')
    .replace(/^HOMES = ""/m, `HOMES = "${HOMES}"`)
    .replace(
      /^\[\[d1_databases\]\]/m,
      '[[d1_databases]]\nbinding = "DB_EU"\ndatabase_name = "groundwork-eu"\nmigrations_dir = "migrations"\n\n$&',
    )
    .replace(/^\[\[r2_buckets\]\]/m, '[[r2_buckets]]\nbinding = "FILES_EU"\nbucket_name = "groundwork-eu-files"\n\n$&')
  writeFileSync(file, text)
  return file
}
