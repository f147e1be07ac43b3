import { useState } from 'preact/hooks'
import { HtmlField } from '../../parts/html-field'
import { RichText } from '../../parts/rich-text/rich-text'
import { changeDraft } from './draft'
import { texts } from './texts/texts'
import { VariableMenu } from './variable-menu'

interface MessageFieldProps {
  html: string
  attributes: readonly string[]
  /** Id of an element that says what is wrong. */
  describedBy: string | undefined
}

const ID = 'mail-message'
const change = (html: string) => changeDraft({ html })

/** The text with variables. If the editor does not load, the text is edited as HTML. */
export function MessageField({ html, attributes, describedBy }: MessageFieldProps) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing)
    return (
      <HtmlField
        id={ID}
        label={texts.message}
        hint={texts.htmlHint}
        preview={texts.formatted}
        value={html}
        onInput={change}
      />
    )
  return (
    <RichText
      id={ID}
      label={texts.message}
      {...{ html, describedBy }}
      onInput={change}
      onMissing={() => setMissing(true)}
      tools={(insert) => <VariableMenu id="message-variables" attributes={attributes} onChoose={insert} />}
    />
  )
}
