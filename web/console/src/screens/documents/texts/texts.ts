import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { type DocumentTexts, en } from './en'

const TEXTS: Record<Language, DocumentTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
