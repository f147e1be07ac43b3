import type { ImportedComment } from '../../feedback/imports/values'
import { normalizeEmail } from '../../http/schemas'
import { toOneLine } from '../../text/attributes'
import { type HtmlTree, isElement, readWrittenHtml, replaceNodes, writeHtml } from '../../text/html/tree'
import { foldColumnName } from '../../workspace/imports/columns'

/** A person of a row in Jira: the id of the account, and the name. */
export type JiraPerson = [id: string, name: string]

// A file with more people names the others by their ids or not at all, which bounds its memory.
const MAX_PEOPLE_PER_FILE = 10_000
const MAX_NAME_LENGTH = 100
// Mentions have at most this length, so a longer id names nobody.
const MAX_ID_LENGTH = 150
// Characters by which names can lengthen a text, beside its own length: a short mention may stand for a long name.
const MAX_NAMES_GROWTH = 500

/** Ids of accounts say nothing outside of Jira. */
const ACCOUNT_ID_PATTERN = /^(?:[a-z\d]{2,10}:[\da-z:-]{36,80}|[\da-z]{24})$/
const ID_COLUMN_PATTERN = / id$/i
const MENTION_PATTERN = /\[~(accountid:)?([^\]\n]{1,150})\]/g
const AUTHOR_PATTERN = /^\[~author:([^\]\n]{1,150})\]: /

/** Stands for the author of a comment until all people of the file are known. */
export const createAuthorMark = (author: string): string => `[~author:${author.replaceAll(']', '')}]`

/**
 * Pairs columns like `Creator` and `Creator Id`, which may repeat. `cells`: a JSON array of `[column, cell]`. `names`: the
 * names in columns of other fields.
 */
export function readJiraPeople(
  cells: string | undefined,
  names: Readonly<Record<string, string | undefined>>,
): JiraPerson[] {
  if (cells === undefined) return []
  const [namesByRole, idsByRole] = [new Map<string, string[]>(), new Map<string, string[]>()]
  const add = (to: Map<string, string[]>, role: string, text: string) => {
    const texts = to.get(role)
    if (texts) texts.push(text)
    else to.set(role, [text])
  }
  for (const [role, name] of Object.entries(names)) if (name !== undefined) add(namesByRole, role, name)
  for (const [column, cell] of JSON.parse(cells) as [string, string][]) {
    const isId = ID_COLUMN_PATTERN.test(column)
    add(isId ? idsByRole : namesByRole, foldColumnName(column.replace(ID_COLUMN_PATTERN, '')), cell)
  }
  return [...idsByRole].flatMap(([role, ids]) => {
    const found = namesByRole.get(role) ?? []
    // Without as many names, nothing says which id has which name.
    return found.length === ids.length ? ids.map((id, n): JiraPerson => [id, found[n] ?? '']) : []
  })
}

/** Names the accounts of a file in its HTML texts. */
export class JiraPeople {
  readonly #names = new Map<string, string>()

  add(people: readonly JiraPerson[]): void {
    for (const [id, name] of people) {
      if (id.length > MAX_ID_LENGTH || this.#names.has(id) || this.#names.size >= MAX_PEOPLE_PER_FILE) continue
      // Copies the texts, because a substring keeps the whole text in memory.
      const [ownId, ownName]: JiraPerson = JSON.parse(JSON.stringify([id, toOneLine(name).slice(0, MAX_NAME_LENGTH)]))
      this.#names.set(ownId, ownName.toWellFormed())
    }
  }

  nameMentions(html: string): string {
    const tree = html.includes('[~') ? readWrittenHtml(html) : undefined
    if (!tree) return html
    this.#replaceMentions(tree, html.length)
    return writeHtml(tree)
  }

  /** An author with an address becomes the author. Another author stands before the text, if the name is known. */
  nameComment([email, html, ...rest]: ImportedComment): ImportedComment {
    const tree = html.includes('[~') ? readWrittenHtml(html) : undefined
    if (!tree) return [email, html, ...rest]
    const author = takeAuthor(tree)
    const known = author === undefined ? undefined : this.#names.get(author)
    const address = known === undefined ? undefined : normalizeEmail(known)
    this.#replaceMentions(tree, html.length)
    const name = known ?? (author === undefined || ACCOUNT_ID_PATTERN.test(author) ? '' : author)
    if (name !== '' && address === undefined) tree.children.unshift(`${name}: `)
    return [address ?? email, writeHtml(tree), ...rest]
  }

  /** An address in an attribute keeps its mentions. */
  #replaceMentions(tree: HtmlTree, length: number): void {
    let room = length + MAX_NAMES_GROWTH
    replaceNodes(tree, (node) => {
      if (isElement(node)) return node
      return node.replace(MENTION_PATTERN, (mention, isAccount: string | undefined, name: string) => {
        const known = this.#names.get(name) ?? ''
        const growth = known.length - mention.length
        if (known !== '' && growth <= room) {
          room -= Math.max(0, growth)
          return known
        }
        return isAccount || ACCOUNT_ID_PATTERN.test(name) ? 'someone' : name
      })
    })
  }
}

/** Removes the mark of the author from the beginning of the text. */
function takeAuthor(tree: HtmlTree): string | undefined {
  const [first] = tree.children
  if (first === undefined || isElement(first)) return undefined
  const [mark, author] = AUTHOR_PATTERN.exec(first) ?? []
  if (mark !== undefined) tree.children[0] = first.slice(mark.length)
  return author
}
