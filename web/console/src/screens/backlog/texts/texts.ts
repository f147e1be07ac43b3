import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { type BacklogTexts, en } from './en'

const TEXTS: Record<Language, BacklogTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
