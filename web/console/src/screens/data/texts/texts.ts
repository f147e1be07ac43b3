import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { type DataTexts, en } from './en'

const TEXTS: Record<Language, DataTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
