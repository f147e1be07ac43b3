import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type SettingsTexts } from './en'

const TEXTS: Record<Language, SettingsTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
