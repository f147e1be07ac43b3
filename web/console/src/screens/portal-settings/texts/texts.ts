import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type PortalTexts } from './en'

const TEXTS: Record<Language, PortalTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
