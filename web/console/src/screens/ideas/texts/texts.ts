import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type IdeaTexts } from './en'

const TEXTS: Record<Language, IdeaTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
