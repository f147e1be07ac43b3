import { formatValue } from './formats'
import { makeWords } from './make-words'
import { texts } from './texts/texts'

export const { nameTarget, signTarget, nameStanding, nameCourse } = makeWords(texts, formatValue)
