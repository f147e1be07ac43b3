import { useState } from 'preact/hooks'
import { HtmlField } from '../../parts/html-field'
import { RichText } from '../../parts/rich-text/rich-text'
import { texts } from './texts/texts'

interface DescriptionFieldProps {
  text: string
  setText: (text: string) => void
}

const ID = 'description'

/** The text as readers see it, or as HTML with a preview. */
export function DescriptionField({ text, setText }: DescriptionFieldProps) {
  const [isHtml, showHtml] = useState(false)
  return (
    <>
      <div class="row">
        {!isHtml && <span class="label">{texts.description}</span>}
        <button class="btn ghost small push" type="button" aria-pressed={isHtml} onClick={() => showHtml(!isHtml)}>
          {texts.asHtml}
        </button>
      </div>
      {isHtml ? (
        <HtmlField
          id={ID}
          label={texts.description}
          hint={texts.htmlHint}
          preview={texts.preview}
          value={text}
          autofocus
          onInput={setText}
        />
      ) : (
        <>
          <RichText
            id={ID}
            label={texts.description}
            describedBy={`${ID}-hint`}
            autofocus
            html={text}
            onInput={setText}
            onMissing={() => showHtml(true)}
          />
          <p class="hint" id={`${ID}-hint`}>
            {texts.descriptionHint}
          </p>
        </>
      )}
    </>
  )
}
