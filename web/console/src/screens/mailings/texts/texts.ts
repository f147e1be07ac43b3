import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type MailingTexts } from './en'

const TEXTS: Record<Language, MailingTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
