import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type RichTextTexts } from './en'

const TEXTS: Record<Language, RichTextTexts> = { en, de }

/** Loaded with the editor. */
export const texts = TEXTS[language]
