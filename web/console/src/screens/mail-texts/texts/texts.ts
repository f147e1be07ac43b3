import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type MailTexts } from './en'

const TEXTS: Record<Language, MailTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
