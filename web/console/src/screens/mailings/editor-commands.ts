import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export type Format = 'bold' | 'italic' | 'insertUnorderedList'

/** Where the person was in the text. */
export type TextPlace = Range | undefined

const escapeHtml = (text: string): string => {
  const holder = document.createElement('p')
  holder.textContent = text
  return holder.innerHTML.replaceAll('"', '&quot;')
}

/** Commands that act where the person was in the text, also after a menu or a dialog has taken the focus. */
export function useEditorCommands(editor: RefObject<HTMLElement | null>) {
  const place = useRef<TextPlace>(undefined)
  useEffect(() => {
    const remember = () => {
      const selection = getSelection()
      const range = selection?.rangeCount ? selection.getRangeAt(0) : undefined
      if (range && editor.current?.contains(range.commonAncestorContainer)) place.current = range.cloneRange()
    }
    document.addEventListener('selectionchange', remember)
    return () => document.removeEventListener('selectionchange', remember)
  }, [])

  function run(command: string, value: string | undefined, at: TextPlace): void {
    if (document.activeElement !== editor.current) {
      editor.current?.focus()
      if (at) {
        getSelection()?.removeAllRanges()
        getSelection()?.addRange(at)
      }
    }
    document.execCommand(command, false, value)
  }

  return {
    format: (format: Format) => run(format, undefined, place.current),
    insertText: (text: string) => run('insertText', text, place.current),
    /** `at` was read before the dialog moved the focus. */
    insertLink(address: string, text: string, at: TextPlace) {
      editor.current?.blur()
      run('insertHTML', `<a href="${escapeHtml(address)}">${escapeHtml(text || address)}</a>`, at)
    },
    readPlace: () => place.current?.cloneRange(),
  }
}

export type EditorCommands = ReturnType<typeof useEditorCommands>
