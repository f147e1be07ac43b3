import type { Relations } from '../../../workspace/imports/bulk'
import type { Idea } from './kind'
import { type ImportedVote, MAX_VOTES } from './values'

// Characters of the addresses of one item: a slice of rows is one value, of which the database takes 2 MB.
const MAX_ADDRESSES = 120_000

/** Rows of one file that are called the same are one item: the first of them, with the votes of all. */
export function voting(): Relations<Idea> {
  const items = new Map<string, { first: number; length: number; votes: Map<string, ImportedVote> }>()
  return {
    see(number, { name, votes }) {
      if (name === null) return
      // A copy: a piece of a text keeps all of that in memory.
      const known = items.get(name)
      const item = known ?? { first: number, length: 0, votes: new Map<string, ImportedVote>() }
      if (!known) items.set(JSON.parse(JSON.stringify(name)), item)
      for (const vote of votes) {
        if (item.votes.size >= MAX_VOTES || item.length >= MAX_ADDRESSES) break
        const copy: ImportedVote = JSON.parse(JSON.stringify(vote))
        const [email] = copy
        if (item.votes.has(email)) continue
        item.votes.set(email, copy)
        item.length += email.length
      }
    },
    of(number, row) {
      const item = row.name === null ? undefined : items.get(row.name)
      return item?.first === number ? { ...row, votes: [...item.votes.values()] } : row
    },
  }
}
