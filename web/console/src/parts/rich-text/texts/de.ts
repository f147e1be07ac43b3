import type { RichTextTexts } from './en'

export const de: RichTextTexts = {
  formatting: 'Formatierung',
  block: 'Absatz oder Überschrift',
  blocks: { P: 'Absatz', H2: 'Überschrift 2', H3: 'Überschrift 3', H4: 'Überschrift 4' },
  formats: {
    B: 'Fett',
    I: 'Kursiv',
    CODE: 'Code',
    UL: 'Aufzählung',
    OL: 'Nummerierte Liste',
    BLOCKQUOTE: 'Zitat',
    A: 'Link',
  },
  removeLinkOfText: 'Link des Textes entfernen',
  linkAddress: 'Adresse des Links',
  setLink: 'Link setzen',
  wrongLink: 'Geben Sie eine Adresse im Web oder eines Postfachs ein.',
}
