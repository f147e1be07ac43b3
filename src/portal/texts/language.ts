import { de } from './de'
import { en, type Texts } from './en'

/** A further language is a file beside `en.ts`, and a line here. */
const TEXTS = { en, de } satisfies Record<string, Texts>

export type Language = keyof typeof TEXTS

export const LANGUAGES: readonly Language[] = ['en', 'de']

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

export const textsOf = (language: Language): Texts => TEXTS[language]
