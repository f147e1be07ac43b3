import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type StoryMapTexts } from './en'

const TEXTS: Record<Language, StoryMapTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
