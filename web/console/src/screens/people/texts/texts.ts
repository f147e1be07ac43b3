import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type PeopleTexts } from './en'

const TEXTS: Record<Language, PeopleTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
