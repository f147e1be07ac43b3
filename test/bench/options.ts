// The options of `npm run bench`.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { UserProblem } from '../../scripts/wrangler.ts'
import { type Operation, operations } from './operations.ts'

export interface Options {
  quick: boolean
  json: boolean
  write: boolean
  emulated: boolean
  /** Milliseconds before every D1 call. */
  far: number
  sizes: number[]
  rounds: number
  seconds: number
  /** Writes a CPU profile instead of a table. */
  profile: boolean
  /** The folder of a second checkout to compare with, instead of the floors. */
  against: string | undefined
  operations: Operation[]
}

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      quick: flag,
      json: flag,
      write: flag,
      emulated: flag,
      far: text,
      only: text,
      profile: text,
      against: text,
      sizes: text,
      rounds: text,
      seconds: text,
    },
  })
  const { quick, json, write, emulated } = values
  const far = Number(values.far ?? 0)
  const ids = (values.profile ?? values.only)?.split(',')
  const unknown = ids?.find((id) => !operations.some((op) => op.id === id))
  if (unknown)
    throw new UserProblem(
      `The bench has no operation "${unknown}". Choose from: ${operations.map(({ id }) => id).join(', ')}.`,
    )
  if (far && emulated) throw new UserProblem('Leave out --emulated or --far. The bench cannot use both.')
  if (write && values.against !== undefined)
    throw new UserProblem('Leave out --write or --against. docs/performance.md shows no run with --against.')
  const against = values.against === undefined ? undefined : path.resolve(values.against)
  if (against && !existsSync(path.join(against, 'wrangler.toml')))
    throw new UserProblem(`--against: ${against} is not a checkout of this project, because wrangler.toml is missing.`)
  const sizes = values.sizes?.split(',').map(Number) ?? defaultSizes(quick || far > 0 || against !== undefined)
  const rounds = Number(values.rounds ?? (quick ? 5 : 8))
  const seconds = Number(values.seconds ?? (quick ? 0.6 : 0.8))
  if (![...sizes, rounds, seconds, far].every((figure) => figure >= 0))
    throw new UserProblem('Sizes, rounds, seconds and milliseconds must be numbers of 0 or more.')
  return {
    quick,
    json,
    write,
    emulated,
    far,
    rounds,
    seconds,
    sizes: sizes.sort((a, b) => a - b),
    profile: values.profile !== undefined,
    against,
    operations: operations.filter(({ id }) => !ids || ids.includes(id)),
  }
}

const defaultSizes = (one: boolean) => (one ? [10_000] : [1_000, 10_000, 100_000])
