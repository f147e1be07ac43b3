import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type ImportTexts } from './en'

const TEXTS: Record<Language, ImportTexts> = { en, de }

/** Loaded with the screens of imports. */
export const importTexts = TEXTS[language]
