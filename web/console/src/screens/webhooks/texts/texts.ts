import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type WebhookTexts } from './en'

const TEXTS: Record<Language, WebhookTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]
