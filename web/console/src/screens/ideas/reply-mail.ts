import type { Operations } from 'groundwork-client'
import type { IdeaTexts } from './texts/en'

export type ReplyAudience = Operations['getStatusUpdateAudience']['data']['reply']

interface ReplyWords {
  button: string
  hint: string
  /** The sentence of a toast about the mail. */
  toast: string
}

const nameOf = ({ firstName, lastName, email }: NonNullable<ReplyAudience['author']>): string =>
  `${firstName} ${lastName}`.trim() || (email ?? '')

/** Says whom a public reply mails. Before the service has said who is mailed, nothing is claimed. */
export function describeReply(texts: IdeaTexts, audience: ReplyAudience | undefined): ReplyWords {
  const { replyMail } = texts
  if (!audience) return { button: texts.send.reply, hint: replyMail.unknown, toast: '' }
  const { author, nobodyBecause } = audience
  if (author) {
    const name = nameOf(author)
    return { button: replyMail.mailAuthor, hint: replyMail.authorIsMailed(name), toast: replyMail.authorGetsMail(name) }
  }
  const why = nobodyBecause === null ? undefined : replyMail.nobodyBecause[nobodyBecause]
  return { button: replyMail.mailNobody, hint: replyMail.nobodyIsMailed(why), toast: replyMail.nobodyGetsMail }
}
