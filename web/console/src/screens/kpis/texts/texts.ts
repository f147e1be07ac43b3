import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type KpiTexts } from './en'

const TEXTS: Record<Language, KpiTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
