import { foldLetters } from '../../text/folding'

/**
 * Words that turn the next words around. A name like "Do not send email" is a refusal, although "send email" is a consent.
 * Words come from names of columns, without case and accents.
 */
const VERB_NEGATIONS =
  'dont doesnt not never nicht niemals ne nao niet nooit nie nikdy inte ikke aldri aldrig не ні никогда ніколи nem δεν μη μην לא لا'
/** These stand directly before the word, because "no" and "non" also begin other words, like "non-profit". */
const ADJACENT_NEGATIONS =
  'no non kein keine keinen keinerlei geen pas jamais aucun aucune nunca ningun ninguno nessun nessuna nenhum nenhuma zadny ' +
  'zadne brak ingen inga inget ei ej ala nu нет нема немає stop'
/** Words between a negation and its word. */
const SKIPPED =
  'more further any bulk mass longer wants wants want wish wishes allow permit the by via to de d des du desea quiere desidera ' +
  'vuole deseja quer mehr weitere souhaite plus meer wil flere fler mas piu mais'

/** Beginnings of words about mail and contact. */
const MAIL_WORDS =
  'mail email newsletter marketing campaign kampagne werbung werbe courriel correo boletin posta nieuwsbrief reclame epost reklam ' +
  'nyhetsbrev nyhedsbrev sahkopost markkino uutiskirje wiadomosc рассыл розсил рекламн eposta メール 메일'
const CONTACT_WORDS =
  `${MAIL_WORDS} contact send write schick versend zusend anschreib angeschrieben kontakt envoy ecri recevoir sollicit relanc ` +
  'publicit enviar envie recib escrib inviare invia contatt ricever spedi scriver receb contat escrev sturen stuur verstur ' +
  'benader ontvang wysyl wysl przysyl otrzymyw skicka utskick lahet zasil posil oslov slati salj kuld trimite присыла посыла ' +
  'отправл писать беспоко связыв контакт уведом надсил στελ επικοινων gonder ارسال ترسل تراسل לשלוח'
/** Names about contact in the past, like "Never contacted", say nothing about the future. */
const PAST_WORDS = 'contacted mailed emailed kontaktiert contacte contactado contattato contatado kontaktad kontaktet'
/** "Not subscribed" is about mail as a name, but as a value of a plan it is not. */
const SUBSCRIPTIONS = 'subscri abonn suscri inscri iscri prenumer subskryb подпис'

/** Beginnings of words that end mail beside a word about mail, like "Email disabled". */
const ENDED_STATES =
  'disabled suspend blocked exclu banned ungultig gesperrt sperr gekundigt kundigung deaktiviert ausgeschlossen refus rifiut ' +
  'recus rechaz bloque bloccat geblokk invalid nonvalid onjuist ongeldig nieprawidlow zablokow заблокир baja ogiltig ugyldig ' +
  'neplatn stopped declin rejected'
const INVALID_STATES = 'ungultig invalid nonvalid ongeldig onjuist nieprawidlow ogiltig ugyldig neplatn'
/** Beginnings of words that give permission beside a word about mail, like "Werbung erlaubt". */
const PERMISSIONS =
  'allow accept permit permission erlaub einverstand erwunscht gewunscht authori autori agree want consent toegestaan permes ' +
  'tillat tilladt zgod souhlas разреш дозвол'

/** Words of a value that ends mail whatever the column is, and beginnings of such words. */
const STATED_WORDS =
  'unsub bounced hardbounce hardbounced complained spamcomplaint blocklisted blacklisted suppressed nonsubscribed nonmarketing'
const STATED_STARTS =
  'unsubscri optout optedout abgemeldet abbestellt ausgetragen desabonn desinscrit desuscrit disiscritt descadastrad uitgeschreven afgemeld ' +
  'wypisan zrezygn avregistrer avprenumer avmeldt afmeldt frameldt odhlasen odjavlj leiratkoz dezabon отписан отписал відписа ' +
  'απεγγραφ 退订 已退订 退訂 已退訂 取消订阅 取消訂閱 配信停止 配信拒否 受信拒否 購読解除 オプトアウト 수신거부 구독취소 구독해지 拒收 黑名单'
const STATED_FILLERS =
  'from all e email emails mail mails newsletter newsletters globally global user contact by admin on von vom de des du la le les ' +
  'della dalla do please bitte me us any more via to the marketing hard soft now again und and is has been'
/** "No" before these words may mean that the person has no address or no contact yet. */
const AMBIGUOUS_OBJECTS = 'mail email contact kontakt contacto contatto contato correo epost contacts'

const MAX_TEXT_LENGTH = 100
const MAX_STATED_LENGTH = 40
const MAX_WORDS = 16
/** Words between a verb's negation and the word about mail. */
const WINDOW = 4

const ASCII_PATTERN = /^[ -~]*$/

// Most texts are ASCII, which needs no folding.
const foldText = (text: string) =>
  ASCII_PATTERN.test(text)
    ? text.toLowerCase()
    : foldLetters(
        text
          .normalize('NFKD')
          .toLowerCase()
          .replace(/\p{M}+/gu, ''),
      )

/** The words of a name or a value without case and accents. A name like `doNotEmail` has three words. */
export function listFoldedWords(text: string): string[] {
  if (text.length > MAX_TEXT_LENGTH) return []
  return splitFoldedWords(text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
}

const splitFoldedWords = (text: string): string[] =>
  foldText(text.replace(/n['’]t(?!\p{L})/giu, 'nt'))
    .replace(/\be[\s_-]+(?=mail)/g, 'e')
    .replace(/opt(ed)?[\s_-]+out/g, 'opt$1out')
    .replace(/hard[\s_-]+bounce/g, 'hardbounce')
    .replace(/non[\s_-]+(?=subscribed|marketing|valid)/g, 'non')
    .replace(/\bno\.|\bno(?=[\s_]+of\b)/g, ' number ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)

const listWords = (words: string): string[] => words.split(' ').map((word) => foldText(word))
const startsWithAny = (starts: readonly string[]) => (word: string) => starts.some((start) => word.startsWith(start))
const isOneOf = (words: string) => {
  const set = new Set(listWords(words))
  return (word: string) => set.has(word)
}

const isVerbNegation = isOneOf(VERB_NEGATIONS)
const isAdjacentNegation = isOneOf(ADJACENT_NEGATIONS)
const isSkipped = isOneOf(SKIPPED)
const isPast = isOneOf(PAST_WORDS)
const isAboutMail = startsWithAny(listWords(MAIL_WORDS))
const isAboutContact = startsWithAny(listWords(CONTACT_WORDS))
const isAboutSubscription = startsWithAny(listWords(SUBSCRIPTIONS))
const isEndedState = startsWithAny(listWords(ENDED_STATES))
const isInvalidState = startsWithAny(listWords(INVALID_STATES))
const isPermission = startsWithAny(listWords(PERMISSIONS))
const isStatedWord = isOneOf(STATED_WORDS)
const startsStated = startsWithAny(listWords(STATED_STARTS))
const isStated = (word: string) => isStatedWord(word) || startsStated(word)
const isFiller = isOneOf(STATED_FILLERS)
const isAmbiguousObject = isOneOf(AMBIGUOUS_OBJECTS)

const isNegation = (word: string) => isVerbNegation(word) || isAdjacentNegation(word)
const isContact = (word: string) => isAboutContact(word) && !isPast(word)
const isContactOrSubscription = (word: string) => isContact(word) || isAboutSubscription(word) || isPermission(word)

/** Names without spaces, like `donotmail` or the Czech "Nezasílat". */
const JOINED_NEGATIONS = listWords(`${VERB_NEGATIONS} ${ADJACENT_NEGATIONS} donot nepas neplus`).filter(
  (word) => word.length > 2 || ['ne', 'no', 'не', 'ні'].includes(word),
)
const isJoinedRefusal = (name: string) =>
  JOINED_NEGATIONS.some((negation) => name.startsWith(negation) && isContact(name.slice(negation.length)))

/** Place of the word that a negation of the words is about, or -1. */
function findNegatedWord(words: readonly string[], isObject: (word: string) => boolean): number {
  for (const [place, word] of words.entries()) {
    const until = isVerbNegation(word) ? place + 1 + WINDOW : isAdjacentNegation(word) ? words.length : 0
    for (let at = place + 1; at < Math.min(until, words.length); at++) {
      const next = words[at] as string
      if (isObject(next)) return at
      if (!isVerbNegation(word) && !isSkipped(next)) break
    }
  }
  return -1
}

/** The name of a column refuses mail by a negation, like "Do not send email" or "Keine E-Mails". */
export const isNegatedName = (words: readonly string[]): boolean =>
  findNegatedWord(words, isContactOrSubscription) !== -1 || words.some(isJoinedRefusal)

/** A negation anywhere turns a consent around. A "no" at the end is a number. */
export const hasNegation = (words: readonly string[]): boolean =>
  words.some((word, place) => isNegation(word) && !(word === 'no' && place > 0 && place === words.length - 1))

/** Like "Email suspended" or "IsExcludedFromCampaigns". A mailing address is on paper. */
export const isEndedMailName = (words: readonly string[]): boolean =>
  words.some(isAboutMail) && words.some(isEndedState) && !words.join('').includes('mailingaddress')

export const isInvalidMailName = (words: readonly string[]): boolean =>
  isEndedMailName(words) && words.some(isInvalidState)

export const isPermissionName = (words: readonly string[]): boolean =>
  words.some(isAboutMail) && words.some(isPermission)

/** The text is nothing but a status that ends mail, like "Unsubscribed" or "Do not contact", whatever its column is. */
export function isStatedRefusal(text: string): boolean {
  // No status has digits, and many cells have.
  if (text.length > MAX_STATED_LENGTH || /[\d@]/.test(text)) return false
  const known = statedByText.get(text)
  if (known !== undefined) return known
  const isStated = findStatedRefusal(text)
  if (statedByText.size >= MAX_REMEMBERED_TEXTS) statedByText.clear()
  statedByText.set(text, isStated)
  return isStated
}

// Most columns repeat a few values.
const statedByText = new Map<string, boolean>()
const MAX_REMEMBERED_TEXTS = 1_000

function findStatedRefusal(text: string): boolean {
  const words = splitFoldedWords(text)
  if (words.some(isStated)) return words.every((word) => isStated(word) || isFiller(word))
  const object = findNegatedWord(words, isContact)
  if (object === -1) return false
  const isShort = words.every((word) => isNegation(word) || isContact(word) || isSkipped(word) || isFiller(word))
  const isAmbiguous =
    !words.some(isVerbNegation) && object === words.length - 1 && isAmbiguousObject(words[object] ?? '')
  return isShort && !isAmbiguous
}
