import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type SuppressionTexts } from './en'

const TEXTS: Record<Language, SuppressionTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
