import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { type EventTexts, en } from './en'

const TEXTS: Record<Language, EventTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
