import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type RemovedTexts } from './en'

const TEXTS: Record<Language, RemovedTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
