import { InlineField } from '../../parts/inline-field'
import type { EditProps } from './heading'
import type { Persona } from './requests'
import { texts } from './texts/texts'

const MAX_HTML = 262_144
const MAX_LINES = 100_000

/** What the persona is like, in words. */
export const Portrait = (props: EditProps) => (
  <>
    <TextField {...props} field="occupation" kind="line" maxLength={500} />
    <TextField {...props} field="quote" kind="text" maxLength={2_000} />
    <Description {...props} />
    <div class="two-lists">
      <LinesField {...props} field="goals" />
      <LinesField {...props} field="pains" />
    </div>
  </>
)

interface TextFieldProps extends EditProps {
  field: 'occupation' | 'quote'
  kind: 'line' | 'text'
  maxLength: number
}

const TextField = ({ persona, may, save, field, kind, maxLength }: TextFieldProps) => (
  <InlineField<Persona>
    id={`persona-${field}`}
    name={texts.fields[field]}
    record={persona}
    value={persona[field] ?? ''}
    {...{ kind, maxLength }}
    mayChange={may}
    onSave={(text, base) => save({ [field]: text || null }, base)}
  >
    <Words text={persona[field]} isQuote={field === 'quote'} />
  </InlineField>
)

function Words({ text, isQuote }: { text: string | null; isQuote: boolean }) {
  if (!text) return <p class="muted">—</p>
  return isQuote ? <blockquote class="quote">{text}</blockquote> : <p>{text}</p>
}

const Description = ({ persona, may, save }: EditProps) => (
  <InlineField<Persona>
    id="persona-description"
    name={texts.fields.description}
    record={persona}
    value={persona.description ?? ''}
    kind="html"
    hint={texts.htmlHint}
    maxLength={MAX_HTML}
    mayChange={may}
    onSave={(text, base) => save({ description: text || null }, base)}
  >
    {persona.description ? (
      // The service has sanitized the HTML, and the policy of the page allows no script beside the files of the console.
      <div class="prose md" dangerouslySetInnerHTML={{ __html: persona.description }} />
    ) : (
      <p class="muted">—</p>
    )}
  </InlineField>
)

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const LinesField = ({ persona, may, save, field }: EditProps & { field: 'goals' | 'pains' }) => (
  <InlineField<Persona>
    id={`persona-${field}`}
    name={texts.fields[field]}
    record={persona}
    value={persona[field].join('\n')}
    hint={texts.linesHint}
    maxLength={MAX_LINES}
    mayChange={may}
    onSave={(text, base) => save({ [field]: toLines(text) }, base)}
  >
    {persona[field].length ? (
      <ul class="bullets">
        {persona[field].map((line, n) => (
          <li key={`${n} ${line}`}>{line}</li>
        ))}
      </ul>
    ) : (
      <p class="muted">—</p>
    )}
  </InlineField>
)
