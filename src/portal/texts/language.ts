import { de } from './de'
import { en, type Texts } from './en'

/** A further language is a file beside `en.ts`, and a line here. */
const TEXTS = { en, de } satisfies Record<string, Texts>

export type Language = keyof typeof TEXTS

export const LANGUAGES: readonly Language[] = ['en', 'de']

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** Language of the addresses without a language. */
export const DEFAULT_LANGUAGE: Language = 'en'

export const textsOf = (language: Language): Texts => TEXTS[language]

export const isLanguage = (text: string): text is Language => LANGUAGES.some((one) => one === text)
