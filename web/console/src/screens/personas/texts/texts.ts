import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type PersonaTexts } from './en'

const TEXTS: Record<Language, PersonaTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
