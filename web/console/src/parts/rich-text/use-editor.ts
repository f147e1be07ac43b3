import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import Squire from 'squire-rte'
import { toSafeFragment, toStoredHtml } from './clean'

export const BLOCKS = ['P', 'H2', 'H3', 'H4'] as const
export type Block = (typeof BLOCKS)[number]
export const FORMATS = ['B', 'I', 'CODE', 'A', 'UL', 'OL', 'BLOCKQUOTE'] as const
export type Format = (typeof FORMATS)[number]

/** What stands at the cursor. */
export interface AtCursor {
  formats: ReadonlySet<Format>
  block: Block
}

const NOTHING: AtCursor = { formats: new Set(), block: 'P' }

interface EditorOptions {
  root: RefObject<HTMLElement | null>
  /** The text when the person begins. */
  html: string
  autofocus: boolean
  onInput: (html: string) => void
}

/** The editor in the element, and what stands at the cursor. */
export function useEditor({ root, html, autofocus, onInput }: EditorOptions) {
  const [editor, setEditor] = useState<Squire>()
  const [at, setAt] = useState(NOTHING)
  const latest = useRef(onInput)
  latest.current = onInput
  useEffect(() => {
    if (!root.current) return
    const made = new Squire(root.current, { blockTag: 'P', sanitizeToDOMFragment: toSafeFragment })
    // Other people read underlined text as a link.
    made.setKeyHandler(`${commandKey}u`, null)
    made.setHTML(html)
    made.addEventListener('input', () => latest.current(toStoredHtml(made.getHTML())))
    for (const name of ['pathChange', 'select', 'cursor', 'input'])
      made.addEventListener(name, () => setAt(readAt(made)))
    made.moveCursorToEnd()
    if (autofocus) made.focus()
    setEditor(made)
    return () => made.destroy()
  }, [])
  return { editor, at }
}

const commandKey = /Mac|iP(?:hone|ad)/.test(navigator.platform) ? 'Meta-' : 'Ctrl-'

function readAt(editor: Squire): AtCursor {
  const { startContainer } = editor.getSelection()
  const within = startContainer instanceof Element ? startContainer : startContainer.parentElement
  const holder = (names: string) => {
    const found = within?.closest(names)
    return found && editor.getRoot().contains(found) && found !== editor.getRoot() ? found.tagName : undefined
  }
  const list = holder('ul, ol')
  const formats = FORMATS.filter((name) =>
    name === 'UL' || name === 'OL'
      ? list === name
      : name === 'CODE'
        ? holder('code, pre') !== undefined
        : name === 'BLOCKQUOTE'
          ? holder('blockquote') !== undefined
          : editor.hasFormat(name),
  )
  return { formats: new Set(formats), block: BLOCKS.find((name) => name === holder('h2, h3, h4')) ?? 'P' }
}

/** Headings and paragraphs take the place of each other; lists and quotes keep theirs. */
export function setBlock(editor: Squire, block: Block): void {
  editor.modifyBlocks((fragment) => {
    const chosen = fragment.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6, div')
    for (const former of chosen) {
      const next = document.createElement(block)
      next.append(...former.childNodes)
      former.replaceWith(next)
    }
    return fragment
  })
  editor.focus()
}

export function toggleFormat(editor: Squire, name: Exclude<Format, 'A'>, isOn: boolean): void {
  if (name === 'B') isOn ? editor.removeBold() : editor.bold()
  else if (name === 'I') isOn ? editor.removeItalic() : editor.italic()
  else if (name === 'UL') isOn ? editor.removeList() : editor.makeUnorderedList()
  else if (name === 'OL') isOn ? editor.removeList() : editor.makeOrderedList()
  else if (name === 'BLOCKQUOTE') isOn ? editor.decreaseQuoteLevel() : editor.increaseQuoteLevel()
  else editor.toggleCode()
  editor.focus()
}

/** Puts a text in the place of the cursor or of the selection, in the format that stands there. */
export function insertText(editor: Squire, text: string): void {
  const range = editor.getSelection()
  if (range.startContainer instanceof Text) {
    editor.saveUndoState(range)
    range.deleteContents()
    const inserted = document.createTextNode(text)
    range.insertNode(inserted)
    range.setStartAfter(inserted)
    range.collapse(true)
    editor.setSelection(range)
  } else editor.insertPlainText(text, false)
  editor.focus()
}
