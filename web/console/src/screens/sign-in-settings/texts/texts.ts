import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type SignInTexts } from './en'

const TEXTS: Record<Language, SignInTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
