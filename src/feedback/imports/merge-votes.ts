import type { ImportRowRelations } from '../../workspace/imports/bulk'
import type { ImportedIdeaRow } from './kind'
import { type ImportedVote, MAX_VOTES_PER_ITEM } from './values'

// A slice of rows is a single bound value, and D1 limits a value to 2 MB.
const MAX_ADDRESS_CHARACTERS = 120_000

export function createVoteMerger(): ImportRowRelations<ImportedIdeaRow> {
  const items = new Map<string, { first: number; length: number; votes: Map<string, ImportedVote> }>()
  return {
    collect(number, { name, votes }) {
      if (name === null) return
      // Copies the name, because a substring keeps the whole text in memory.
      const known = items.get(name)
      const item = known ?? { first: number, length: 0, votes: new Map<string, ImportedVote>() }
      if (!known) items.set(JSON.parse(JSON.stringify(name)), item)
      for (const vote of votes) {
        if (item.votes.size >= MAX_VOTES_PER_ITEM || item.length >= MAX_ADDRESS_CHARACTERS) break
        const copy: ImportedVote = JSON.parse(JSON.stringify(vote))
        const [email] = copy
        if (item.votes.has(email)) continue
        item.votes.set(email, copy)
        item.length += email.length
      }
    },
    relate(number, row) {
      const item = row.name === null ? undefined : items.get(row.name)
      return item?.first === number ? { ...row, votes: [...item.votes.values()] } : row
    },
  }
}
