import { foldLetters } from '../../text/folding'
import { foldColumnName } from '../../workspace/imports/columns'
import type { SUPPRESSION_REASONS } from '../suppressions/schema'
import {
  CONSENT_WORDS,
  ENDED_WORDS,
  NO_WORDS,
  PLAIN_NO_WORDS,
  REASON_WORDS,
  REFUSAL_WORDS,
  STATUS_WORDS,
  SUBSCRIPTION_WORDS,
  YES_WORDS,
} from './mail-words'
import {
  hasNegation,
  isEndedMailName,
  isInvalidMailName,
  isNegatedName,
  isPermissionName,
  isStatedRefusal,
  listFoldedWords,
} from './refusal-phrases'

/**
 * `refusal`: unsubscription, bounce or complaint. `status`: the value decides whether the column is about mail.
 * `otherStatus`: a status of something else, like a lead, whose values may still end mail. `subscription`: may be paid.
 */
export type MailColumn = 'refusal' | 'consent' | 'status' | 'otherStatus' | 'subscription'

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]

// A longer text is no answer of a list.
export const MAX_ANSWER_LENGTH = 60

export const fold = (text: string) => foldLetters(foldColumnName(text)).replace(/[^\p{L}\p{N}]+/gu, '')

interface WordsInNames {
  parts: string[]
  whole: Set<string>
}

interface FoldedWords {
  refusal: WordsInNames
  consent: WordsInNames
  status: Set<string>
  subscription: Set<string>
  no: Set<string>
  plainNo: Set<string>
  yes: Set<string>
  ended: Set<string>
  reasons: (readonly [SuppressionReason, string[]])[]
}

let folded: FoldedWords | undefined

function foldWords(): FoldedWords {
  const all = (words: string) => words.split(' ').map(fold)
  const set = (words: string) => new Set(all(words))
  const both = ({ parts, whole }: { parts: string; whole: string }) => ({ parts: all(parts), whole: set(whole) })
  folded ??= {
    ...{ refusal: both(REFUSAL_WORDS), consent: both(CONSENT_WORDS), status: set(STATUS_WORDS) },
    ...{ subscription: set(SUBSCRIPTION_WORDS), plainNo: set(PLAIN_NO_WORDS) },
    ...{ no: set(NO_WORDS), yes: set(YES_WORDS), ended: set(ENDED_WORDS) },
    reasons: Object.entries(REASON_WORDS).map(([reason, words]) => [reason as SuppressionReason, all(words)] as const),
  }
  return folded
}

const matches = (name: string, { parts, whole }: WordsInNames) =>
  whole.has(name) || parts.some((part) => name.includes(part))

/** Where and how a person consented says nothing about whether. */
const DETAIL_OF_CONSENT = /(?:ip|url|source|version|method|page|form)$/

/** What a column says about mail. */
export function findMailColumn(column: string): MailColumn | undefined {
  const { refusal, consent, status, subscription } = foldWords()
  const name = fold(column)
  if (name === '') return undefined
  const words = listFoldedWords(column)
  if (matches(name, refusal) || isNegatedName(words) || isEndedMailName(words)) return 'refusal'
  if (matches(name, consent) || isPermissionName(words)) {
    if (DETAIL_OF_CONSENT.test(name)) return undefined
    return hasNegation(words) ? 'refusal' : 'consent'
  }
  if (status.has(name)) return 'status'
  if (subscription.has(name)) return 'subscription'
  return name.endsWith('status') ? 'otherStatus' : undefined
}

/** Reason that a text names: a status, a column, a file or a sentence. */
export function findSuppressionReason(text: string): SuppressionReason | undefined {
  const { reasons, refusal, ended } = foldWords()
  const answer = text.slice(0, MAX_ANSWER_LENGTH)
  const folded = fold(answer)
  if (folded === '') return undefined
  const named = reasons.find(([, parts]) => parts.some((part) => folded.includes(part)))?.[0]
  if (named !== undefined) return named
  const words = listFoldedWords(answer)
  if (isInvalidMailName(words)) return 'hard_bounce'
  if (matches(folded, refusal) || ended.has(folded)) return 'unsubscribe'
  return isNegatedName(words) || isEndedMailName(words) ? 'manual' : undefined
}

/** Whether a text answers a question with no, like `false` or `-`. */
export const isNo = (text: string): boolean => fold(text) === '' || foldWords().no.has(fold(text))
export const isYes = (text: string): boolean => foldWords().yes.has(fold(text))
export const isDateText = (text: string): boolean => /^\d{4}|^\d{1,2}[./-]\d{1,2}[./-]/.test(text)

/** Whether a text is a known answer about mail, which people are shown as it stands. */
export const isKnownAnswer = (answer: string): boolean => {
  const { no, yes, ended, refusal } = foldWords()
  return no.has(answer) || yes.has(answer) || ended.has(answer) || refusal.whole.has(answer)
}

/** Whether a text in a column, undefined for a column that says nothing about mail, ends mail. */
export function isRefusal(of: MailColumn | undefined, text: string): boolean {
  const { refusal, plainNo, ended } = foldWords()
  if (of === 'refusal') return !isNo(text)
  if (of === 'consent') return !isYes(text) && !isDateText(text)
  if (of === 'subscription' && plainNo.has(fold(text))) return true
  if (of === 'status' && (matches(fold(text), refusal) || ended.has(fold(text)))) return true
  return isStatedRefusal(text)
}
