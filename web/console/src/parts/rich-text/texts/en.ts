export const en = {
  formatting: 'Formatting',
  block: 'Paragraph or heading',
  blocks: { P: 'Paragraph', H2: 'Heading 2', H3: 'Heading 3', H4: 'Heading 4' },
  formats: {
    B: 'Bold',
    I: 'Italic',
    CODE: 'Code',
    UL: 'Bulleted list',
    OL: 'Numbered list',
    BLOCKQUOTE: 'Quote',
    A: 'Link',
  },
  removeLinkOfText: 'Remove the link of the text',
  linkAddress: 'Address of the link',
  setLink: 'Set the link',
  wrongLink: 'Type an address of the web or of a mailbox.',
}

export type RichTextTexts = typeof en
