import type { MirrorChange, MirrorStore } from '../../clients/typescript/src/mirror.ts'

export class MemoryStore implements MirrorStore {
  readonly records = new Map<string, MirrorChange>()
  #position: number | undefined

  readPosition(): number | undefined {
    return this.#position
  }

  apply(changes: readonly MirrorChange[], position?: number): void {
    for (const change of changes) {
      const stored = this.records.get(change.id)
      if (stored && stored.eventId >= change.eventId) continue
      this.records.set(change.id, change)
    }
    if (position !== undefined) this.#position = position
  }

  clear(): void {
    this.records.clear()
    this.#position = undefined
  }

  /** The records that the lists show. */
  listVisible(): Map<string, MirrorChange> {
    const isVisible = (id: string): boolean => {
      const record = this.records.get(id)
      return record === undefined || (!record.isRemoved && record.parents.every(isVisible))
    }
    return new Map([...this.records].filter(([id]) => isVisible(id)))
  }
}
