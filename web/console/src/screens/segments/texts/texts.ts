import { type Language, language } from '../../../texts/texts'
import { de } from './de'
import { en, type SegmentTexts } from './en'

const TEXTS: Record<Language, SegmentTexts> = { en, de }

/** Loaded with the screen. */
export const texts = TEXTS[language]

/** The page above a segment. */
export const CRUMB = { path: '/segments', title: texts.title }
