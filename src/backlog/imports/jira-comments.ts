import { parseDateCell } from '../../workspace/imports/dates'

/** Jira writes a comment as `22/Sep/25 9:26 AM;author;text`, with the id of an account or a name as the author. */
const COMMENT_PATTERN = /^([^;\n]{6,40});([^;\n]{0,100});([\s\S]*)$/

/** An id of an account says nothing outside of Jira. */
const ACCOUNT_ID_PATTERN = /^(?:\d+:[\da-f-]{36}|[\da-f]{24})$/

const toComment = (cell: string) => {
  const [, date = '', author = '', text] = COMMENT_PATTERN.exec(cell) ?? []
  const createdAt = parseDateCell(date, null)
  if (text === undefined || createdAt === undefined) return { text: cell }
  return {
    text,
    ...(createdAt !== 'ambiguous' && { createdAt }),
    ...(!ACCOUNT_ID_PATTERN.test(author) && { author }),
  }
}

/** `cells`: the cells of all columns of comments, as a JSON array. Returns a JSON array of comments. */
export const toCommentList = (cells: string): string => JSON.stringify((JSON.parse(cells) as string[]).map(toComment))
