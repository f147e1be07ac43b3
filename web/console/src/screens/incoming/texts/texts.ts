import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type IncomingTexts } from './en'

const TEXTS: Record<Language, IncomingTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
