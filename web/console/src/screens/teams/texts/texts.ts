import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type TeamTexts } from './en'

const TEXTS: Record<Language, TeamTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
