import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { type ExperimentTexts, en } from './en'

const TEXTS: Record<Language, ExperimentTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
