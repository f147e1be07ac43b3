import { texts } from '../texts/texts'

/** People who get mail: at least `recipients`, if the service has not counted everybody. */
export interface MailCount {
  recipients: number
  isComplete: boolean
}

export const NO_MAIL: MailCount = { recipients: 0, isComplete: true }

const isNobody = ({ recipients, isComplete }: MailCount): boolean => recipients === 0 && isComplete

/** The name of a button with the mail that it sends. Without a count, people are mailed whose number is unknown. */
export function nameWithMail(action: string, count: MailCount | undefined): string {
  if (!count) return texts.mailed.followers(action)
  if (isNobody(count)) return texts.mailed.nobody(action)
  return texts.mailed.people(action, count.recipients, count.isComplete)
}

/** The sentence of a toast about the mail. */
export function describeMail(count: MailCount | undefined): string {
  if (!count) return texts.mailed.toFollowers
  return isNobody(count) ? texts.mailed.toNobody : texts.mailed.toPeople(count.recipients, count.isComplete)
}
