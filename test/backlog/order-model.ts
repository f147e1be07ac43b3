export type Side = 'before' | 'after'

/** An order as a list. Hidden items keep their positions, because a hidden item can return. */
export class OrderModel<T> {
  readonly #hidden = new Set<T>()
  readonly #items: T[]

  constructor(items: readonly T[] = []) {
    this.#items = [...items]
  }

  shown = () => this.#items.filter((item) => !this.#hidden.has(item))
  hidden = () => this.#items.filter((item) => this.#hidden.has(item))

  append = (item: T) => this.#items.push(item)
  insert = (item: T, beside: Side, anchor: T) =>
    this.#items.splice(this.#items.indexOf(anchor) + (beside === 'after' ? 1 : 0), 0, item)
  hide = (item: T) => this.#hidden.add(item)
  show = (item: T) => this.#hidden.delete(item)
  drop = (item: T) => this.#items.splice(this.#items.indexOf(item), 1)

  /** The shown neighbors of an item: `before` is the next item, `after` the previous item. */
  neighborsOf(item: T): Record<Side, T | null> {
    const shown = this.shown()
    const at = shown.indexOf(item)
    return { before: shown[at + 1] ?? null, after: shown[at - 1] ?? null }
  }

  /** Returns false if the item is at the position already. */
  move(item: T, beside: Side, anchor: T): boolean {
    if (this.neighborsOf(item)[beside] === anchor) return false
    this.drop(item)
    this.insert(item, beside, anchor)
    return true
  }
}
