import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type WorkspaceTexts } from './en'

const TEXTS: Record<Language, WorkspaceTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
