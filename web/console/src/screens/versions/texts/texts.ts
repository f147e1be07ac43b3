import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type VersionTexts } from './en'

const TEXTS: Record<Language, VersionTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
