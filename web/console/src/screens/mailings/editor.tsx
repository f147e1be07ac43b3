import { useEffect, useRef, useState } from 'preact/hooks'
import { FormDialog } from '../../parts/form-dialog'
import { Icon, type IconName } from '../../parts/icon'
import { type EditorCommands, type Format, type TextPlace, useEditorCommands } from './editor-commands'
import { texts } from './texts/texts'
import { VariableMenu } from './variable-menu'

interface EditorProps {
  /** The text at the beginning. */
  html: string
  attributes: readonly string[]
  /** Id of an element that says what is wrong. */
  describedBy: string | undefined
  onChange: (html: string) => void
}

const FORMATS: readonly { format: Format; icon: IconName; name: string }[] = [
  { format: 'bold', icon: 'bold', name: texts.bold },
  { format: 'italic', icon: 'italic', name: texts.italic },
  { format: 'insertUnorderedList', icon: 'bullets', name: texts.bullets },
]

/** A text with bold, italic, links and lists. Other markup does not come along when text is pasted. */
export function Editor({ html, attributes, describedBy, onChange }: EditorProps) {
  const field = useRef<HTMLDivElement>(null)
  const commands = useEditorCommands(field)
  const [linking, link] = useState<{ at: TextPlace }>()
  useEffect(() => {
    document.execCommand('defaultParagraphSeparator', false, 'p')
    if (field.current) field.current.innerHTML = html
  }, [])
  return (
    <div class="mail-editor">
      <div class="mail-toolbar" role="toolbar" aria-label={texts.format}>
        {FORMATS.map(({ format, icon, name }) => (
          <FormatButton key={format} icon={icon} name={name} onClick={() => commands.format(format)} />
        ))}
        <FormatButton icon="link" name={texts.link} onClick={() => link({ at: commands.readPlace() })} />
        <VariableMenu id="message-variables" attributes={attributes} onChoose={commands.insertText} />
      </div>
      <div
        ref={field}
        id="mail-message"
        class="mail-field prose md"
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-labelledby="mail-message-label"
        aria-describedby={describedBy}
        contentEditable
        onInput={({ currentTarget }) => onChange(currentTarget.innerHTML)}
        onPaste={(event) => {
          event.preventDefault()
          document.execCommand('insertText', false, event.clipboardData?.getData('text/plain') ?? '')
        }}
        onDrop={(event) => event.preventDefault()}
      />
      {linking && <LinkDialog at={linking.at} commands={commands} onClose={() => link(undefined)} />}
    </div>
  )
}

interface FormatButtonProps {
  icon: IconName
  name: string
  onClick: () => void
}

/** The text keeps the focus and the selection when the pointer presses the button. */
const FormatButton = ({ icon, name, onClick }: FormatButtonProps) => (
  <button
    class="btn ghost icon small"
    type="button"
    aria-label={name}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
)

interface LinkDialogProps {
  at: TextPlace
  commands: EditorCommands
  onClose: () => void
}

const LinkDialog = ({ at, commands, onClose }: LinkDialogProps) => {
  const chosen = useRef<{ address: string; text: string } | undefined>(undefined)
  // The dialog gives the focus back first.
  useEffect(
    () => () => {
      const made = chosen.current
      if (made) requestAnimationFrame(() => commands.insertLink(made.address, made.text, at))
    },
    [],
  )
  return (
    <FormDialog
      title={texts.linkTitle}
      action={texts.insertLink}
      failed={texts.linkFailed}
      onClose={onClose}
      onSubmit={async (form) => {
        chosen.current = { address: String(form.get('address')).trim(), text: String(form.get('text')).trim() }
      }}
    >
      <label class="field">
        <span class="label">{texts.linkAddress}</span>
        <input class="input" name="address" type="url" required placeholder="https://" autofocus />
      </label>
      <label class="field">
        <span class="label">{texts.linkText}</span>
        <input class="input" name="text" defaultValue={at?.toString()} />
      </label>
    </FormDialog>
  )
}
