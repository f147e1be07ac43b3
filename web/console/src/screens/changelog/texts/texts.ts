import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { type ChangelogTexts, en } from './en'

const TEXTS: Record<Language, ChangelogTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
