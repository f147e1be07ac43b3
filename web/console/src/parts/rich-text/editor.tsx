import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type Squire from 'squire-rte'
import { Icon, type IconName } from '../icon'
import { toLink } from './clean'
import { texts } from './texts/texts'
import {
  type AtCursor,
  BLOCKS,
  type Block,
  type Format,
  insertText,
  setBlock,
  toggleFormat,
  useEditor,
} from './use-editor'

interface EditorProps {
  id: string
  label: string
  /** Id of an element that explains the text, or says what is wrong. */
  describedBy: string | undefined
  /** Whether the person begins in the text. */
  autofocus?: boolean
  /** The text when the person begins. */
  html: string
  onInput: (html: string) => void
  /** Further tools. `insert` puts a text in the place of the cursor. */
  tools?: (insert: (text: string) => void) => ComponentChildren
}

/** A text with headings, lists, links and code. Images and tables of other programs stay as they are. */
export default function Editor({ id, label, describedBy, autofocus = false, html, onInput, tools }: EditorProps) {
  const root = useRef<HTMLDivElement>(null)
  const { editor, at } = useEditor({ root, html, autofocus, onInput })
  return (
    <div class="rich">
      {editor && (
        <Tools editor={editor} at={at} area={id}>
          {tools?.((text) => insertText(editor, text))}
        </Tools>
      )}
      <div
        // An image would get handles with styles of their own, which the policy of the page refuses.
        onClickCapture={(event) => event.target instanceof HTMLImageElement && event.stopPropagation()}
      >
        <div
          ref={root}
          id={id}
          class="prose md area"
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-label={label}
          aria-describedby={describedBy}
        />
      </div>
    </div>
  )
}

const BUTTONS: readonly { name: Exclude<Format, 'A'>; icon: IconName; keys?: string }[] = [
  { name: 'B', icon: 'bold', keys: 'Control+B' },
  { name: 'I', icon: 'italic', keys: 'Control+I' },
  { name: 'CODE', icon: 'code', keys: 'Control+D' },
  { name: 'UL', icon: 'bullets', keys: 'Control+Shift+8' },
  { name: 'OL', icon: 'numbers', keys: 'Control+Shift+9' },
  { name: 'BLOCKQUOTE', icon: 'quote', keys: 'Control+]' },
]

interface ToolsProps {
  editor: Squire
  at: AtCursor
  /** Id of the text. */
  area: string
  children: ComponentChildren
}

function Tools({ editor, at, area, children }: ToolsProps) {
  const [isLinking, setLinking] = useState(false)
  return (
    <div class="row wrap tools-of-text" role="toolbar" aria-label={texts.formatting} aria-controls={area}>
      <select
        class="select small auto"
        aria-label={texts.block}
        value={at.block}
        onChange={({ currentTarget: { value } }) => setBlock(editor, value as Block)}
      >
        {BLOCKS.map((name) => (
          <option key={name} value={name}>
            {texts.blocks[name]}
          </option>
        ))}
      </select>
      {BUTTONS.map(({ name, icon, keys }) => (
        <button
          key={name}
          class="btn ghost icon small"
          type="button"
          aria-label={texts.formats[name]}
          title={texts.formats[name]}
          aria-keyshortcuts={keys}
          aria-pressed={at.formats.has(name)}
          onClick={() => toggleFormat(editor, name, at.formats.has(name))}
        >
          <Icon name={icon} />
        </button>
      ))}
      <button
        class="btn ghost icon small"
        type="button"
        aria-label={at.formats.has('A') ? texts.removeLinkOfText : texts.formats.A}
        title={at.formats.has('A') ? texts.removeLinkOfText : texts.formats.A}
        aria-pressed={at.formats.has('A')}
        aria-expanded={isLinking}
        onClick={() => {
          if (!at.formats.has('A')) return setLinking(!isLinking)
          editor.removeLink().focus()
        }}
      >
        <Icon name="link" />
      </button>
      {children}
      {isLinking && <LinkField editor={editor} onClose={() => setLinking(false)} />}
    </div>
  )
}

/** The selected text becomes a link, or the address itself stands at the cursor. */
function LinkField({ editor, onClose }: { editor: Squire; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const close = () => {
    onClose()
    editor.focus()
  }
  const apply = () => {
    const href = toLink(typed)
    if (!href) return setWrong(true)
    onClose()
    editor.makeLink(href).focus()
  }
  return (
    <span class="row">
      <input
        class="input small"
        type="url"
        aria-label={texts.linkAddress}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? 'link-problem' : undefined}
        placeholder="https://"
        value={typed}
        ref={(field) => field?.focus()}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          setWrong(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') apply()
          else close()
        }}
      />
      <button class="btn small" type="button" onClick={apply}>
        {texts.setLink}
      </button>
      {isWrong && (
        <span class="error sm" id="link-problem" role="alert">
          {texts.wrongLink}
        </span>
      )}
    </span>
  )
}
