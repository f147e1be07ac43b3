import { normalizeEmail } from '../../http/schemas'
import { parseDateCell } from '../../workspace/imports/dates'
import { createAuthorMark } from './jira-people'

/** Jira writes a comment as `22/Sep/25 9:26 AM;author;text`, with the id of an account or a name as the author. */
const COMMENT_PATTERN = /^([^;\n]{6,40});([^;\n]{0,100});([\s\S]*)$/

const toComment = (cell: string) => {
  const [, date = '', author = '', text] = COMMENT_PATTERN.exec(cell) ?? []
  const createdAt = parseDateCell(date, null)
  if (text === undefined || createdAt === undefined) return { text: cell }
  const isNamed = author.trim() === '' || normalizeEmail(author) !== undefined
  return {
    text,
    ...(createdAt !== 'ambiguous' && { createdAt }),
    author: isNamed ? author : createAuthorMark(author.trim()),
  }
}

/** `cells`: the cells of all columns of comments, as a JSON array. Returns a JSON array of comments. */
export const toCommentList = (cells: string): string => JSON.stringify((JSON.parse(cells) as string[]).map(toComment))
