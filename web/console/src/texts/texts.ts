import { readStored, store } from '../state/stored'
import { de } from './de'
import { en, type Texts } from './en'

/** A further language is a file beside `en.ts`, and a line here. */
const TEXTS = { en, de } satisfies Record<string, Texts>
export type Language = keyof typeof TEXTS

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }
export const LANGUAGES = Object.keys(TEXTS) as Language[]

const NAME = 'console-language'
const isLanguage = (text: string): text is Language => text in TEXTS
const preferred = [readStored(NAME) ?? [], navigator.languages].flat().map((tag) => tag.slice(0, 2))

export const language: Language = preferred.find(isLanguage) ?? 'en'
export const texts: Texts = TEXTS[language]

export function chooseLanguage(chosen: Language): void {
  store(NAME, chosen)
  location.reload()
}
