import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type ItemTexts } from './en'

const TEXTS: Record<Language, ItemTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
