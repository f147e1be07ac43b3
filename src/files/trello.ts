import { RejectedRow, type RowParser } from './batch'
import { parseJsonRow, syntaxErrorMessage } from './item'
import { MemberScanner } from './members'
import { FileProblem } from './problem'
import { readList, readMember, readNumber, readText, readTexts, toListCell } from './read-json'
import {
  type CustomField,
  type CustomValue,
  nameCustomValues,
  readCustomField,
  readCustomValue,
  readName,
} from './trello-fields'

/** Characters of the cards and comments of a board, which stay in memory until the lists are known. */
const MAX_BOARD_LENGTH = 8_000_000

const BOARD_MEMBERS = new Set(['name', 'actions', 'cards', 'checklists', 'customFields', 'lists', 'members'])
const BOARD_PATTERN = /"(?:idOrganization|idBoard|idMemberCreator|idList)"\s*:/
const RECORDS_PATTERN = /"records"\s*:/
const DUE_PATTERN = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/
const NO_CARDS_MESSAGE =
  'The file looks like a Trello board without cards. In Trello, open the menu of the board, and choose Print, export, and share > Export as JSON.'

/** `head`: the beginning of a JSON file whose first sign is a brace. */
export const isTrelloBoard = (head: string) => BOARD_PATTERN.test(head) && !RECORDS_PATTERN.test(head)

interface Card {
  id: string
  name: string
  description: string
  list: string
  labels: string[]
  members: string[]
  start: string
  due: string
  url: string
  attachments: string[]
  position: number
  votes: number
  isArchived: boolean
  customValues: readonly CustomValue[]
}

interface BoardList {
  id: string
  name: string
  isClosed: boolean
  position: number
}

const readBoardList = (list: unknown): BoardList => ({
  id: readText(list, 'id'),
  name: readName(list, 'name'),
  isClosed: readMember(list, 'closed') === true,
  position: readNumber(list, 'pos'),
})

const readCard = (card: unknown): Card => ({
  id: readText(card, 'id'),
  name: readText(card, 'name'),
  description: readText(card, 'desc'),
  list: readText(card, 'idList'),
  labels: readList(card, 'labels').map(readLabelName),
  members: readTexts(card, 'idMembers'),
  start: readText(card, 'start'),
  due: readText(card, 'due'),
  url: readText(card, 'shortUrl') || readText(card, 'url'),
  attachments: readList(card, 'attachments').map((attachment) => readText(attachment, 'url')),
  position: readNumber(card, 'pos'),
  votes: readNumber(readMember(card, 'badges'), 'votes'),
  isArchived: readMember(card, 'closed') === true,
  customValues: readList(card, 'customFieldItems').map(readCustomValue),
})

/** A label without a name is known by its color. */
const readLabelName = (label: unknown) => readText(label, 'name') || readText(label, 'color')

interface Checklist {
  card: string
  text: string
}

function readChecklist(checklist: unknown): Checklist {
  const items = [...readList(checklist, 'checkItems')].sort((a, b) => readNumber(a, 'pos') - readNumber(b, 'pos'))
  const lines = items.map(
    (item) => `- [${readText(item, 'state') === 'complete' ? 'x' : ' '}] ${readText(item, 'name')}${readDueTime(item)}`,
  )
  return { card: readText(checklist, 'idCard'), text: [readText(checklist, 'name'), ...lines].join('\n') }
}

function readDueTime(item: unknown): string {
  const due = readText(item, 'due')
  return due === '' ? '' : ` (due ${due.replace(DUE_PATTERN, '$1 $2 UTC')})`
}

interface BoardComment {
  card: string
  text: string
  createdAt: string
  author: string
}

function readComment(action: unknown): BoardComment | undefined {
  const data = readMember(action, 'data')
  if (readText(action, 'type') !== 'commentCard') return undefined
  const [card, author] = [readMember(data, 'card'), readMember(action, 'memberCreator')]
  return {
    card: readText(card, 'id'),
    text: readText(data, 'text'),
    createdAt: readText(action, 'date'),
    author: readText(author, 'fullName') || readText(author, 'username'),
  }
}

/** Reads the export of a Trello board as rows with the columns of Trello's CSV. Cards of closed lists are left out. */
export function createTrelloParser({ maxRow }: { maxRow: number }): RowParser {
  const cards: (Card | RejectedRow)[] = []
  const lists = new Map<string, BoardList>()
  const members = new Map<string, string>()
  const checklists = new Map<string, Checklist[]>()
  const comments = new Map<string, BoardComment[]>()
  const customFields = new Map<string, CustomField>()
  let board = ''
  let length = 0
  const scanner = new MemberScanner({ names: BOARD_MEMBERS, maxLength: maxRow, take: takeMember })
  return {
    push(text) {
      scanner.push(text)
      return []
    },
    end() {
      scanner.end()
      if (!cards.length) throw new FileProblem('not_a_list', NO_CARDS_MESSAGE)
      const rows = sortCards().map(toRow)
      return rows.length ? [{ firstRow: 1, rows }] : []
    },
  }

  function takeMember(name: string, text: string): void {
    const value = parseMember(text)
    if (name === 'cards') cards.push(value instanceof RejectedRow ? value : count(readCard(value)))
    else if (name === 'name') board = readName({ name: value }, 'name')
    else if (name === 'lists') {
      const list = count(readBoardList(value))
      lists.set(list.id, list)
    } else if (name === 'members') members.set(readText(value, 'id'), count(readName(value, 'fullName')))
    else if (name === 'customFields') {
      const field = readCustomField(value)
      count([field, ...field.options])
      customFields.set(field.id, field)
    } else if (name === 'checklists') addTo(checklists, count(readChecklist(value)))
    else if (name === 'actions') {
      const comment = readComment(value)
      if (comment) addTo(comments, count(comment))
    }
  }

  function parseMember(text: string): unknown {
    try {
      return parseJsonRow(text)
    } catch (cause) {
      throw new FileProblem('not_json', `The file is not JSON: ${syntaxErrorMessage(cause)}. Send the whole export.`)
    }
  }

  function count<T>(kept: T): T {
    length += JSON.stringify(kept).length
    if (length <= MAX_BOARD_LENGTH) return kept
    throw new FileProblem(
      'long_row',
      `The cards of the board have more than ${MAX_BOARD_LENGTH / 1_000_000} million characters. Move some lists to another board, and send two files.`,
    )
  }

  /** Cards of open lists, in the order of the board. */
  function sortCards(): (Card | RejectedRow)[] {
    const positionOf = (card: Card | RejectedRow) =>
      card instanceof RejectedRow ? [Infinity, 0] : [lists.get(card.list)?.position ?? 0, card.position]
    return cards
      .filter((card) => card instanceof RejectedRow || !lists.get(card.list)?.isClosed)
      .map((card) => ({ card, position: positionOf(card) }))
      .sort(({ position: [list = 0, own = 0] }, { position: [otherList = 0, other = 0] }) =>
        list === otherList ? own - other : list - otherList,
      )
      .map(({ card }) => card)
  }

  function toRow(card: Card | RejectedRow): unknown {
    if (card instanceof RejectedRow) return card
    const texts = [card.description, ...(checklists.get(card.id) ?? []).map(({ text }) => text)]
    // Trello writes the latest comment first.
    const said = (comments.get(card.id) ?? []).toReversed()
    const row = {
      'Card ID': card.id,
      'Card Name': card.name,
      'Card URL': card.url,
      'Card Description': texts.filter((text) => text !== '').join('\n\n'),
      Labels: toListCell(card.labels),
      Members: card.members.map((id) => members.get(id) ?? id).join(', '),
      'Start Date': card.start,
      'Due Date': card.due,
      'Attachment Links': card.attachments.join('\n'),
      'Vote Count': card.votes,
      'List Name': lists.get(card.list)?.name ?? '',
      'Board Name': board,
      Archived: card.isArchived ? 'true' : '',
      Comments: said.map(({ text, createdAt, author }) => ({ text, createdAt, author })),
      ...(card.customValues.length && { attributes: nameCustomValues(card.customValues, customFields) }),
    }
    if (JSON.stringify(row).length <= maxRow) return row
    return new RejectedRow(
      `it is longer than ${maxRow / 1024} KiB with its checklists and comments`,
      'Shorten the description or the checklists of the card.',
    )
  }
}

function addTo<T extends { card: string }>(byCard: Map<string, T[]>, item: T): void {
  const items = byCard.get(item.card)
  if (items) items.push(item)
  else byCard.set(item.card, [item])
}
