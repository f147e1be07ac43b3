import { describedBy, Field } from './field'
import type { Frame } from './frame'

export const MIN_TITLE_CHARACTERS = 3
export const MAX_TITLE_CHARACTERS = 500
export const MAX_TEXT_CHARACTERS = 20_000

export interface IdeaDraft {
  title: string
  text: string
}

export type FieldProblem = 'titleMissing' | 'titleLong' | 'textLong'

export function findFieldProblem({ title, text }: IdeaDraft): FieldProblem | null {
  if (title.length < MIN_TITLE_CHARACTERS) return 'titleMissing'
  if (title.length > MAX_TITLE_CHARACTERS) return 'titleLong'
  return text.length > MAX_TEXT_CHARACTERS ? 'textLong' : null
}

interface TextProps {
  frame: Frame
  value: string
  problem: string | null
}

export function TitleField({ frame, value, problem }: TextProps) {
  const { submitPage } = frame.texts
  const error = problem === 'titleMissing' || problem === 'titleLong' ? submitPage[problem] : undefined
  return (
    <Field id="title" label={submitPage.title} hint={submitPage.titleHint} error={error}>
      <input
        class="input"
        id="title"
        name="title"
        value={value}
        required
        minlength={MIN_TITLE_CHARACTERS}
        maxlength={MAX_TITLE_CHARACTERS}
        autocomplete="off"
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy('title')}
      />
    </Field>
  )
}

export function TextField({ frame, value, problem }: TextProps) {
  const { submitPage } = frame.texts
  const error = problem === 'textLong' ? submitPage.textLong : undefined
  return (
    <Field id="text" label={submitPage.text} hint={submitPage.textHint} error={error}>
      <textarea
        class="textarea tall"
        id="text"
        name="text"
        maxlength={MAX_TEXT_CHARACTERS}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy('text')}
      >
        {value}
      </textarea>
    </Field>
  )
}

export function Choice({ id, options, value }: { id: string; options: readonly [string, string][]; value: string }) {
  return (
    <select class="select" id={id} name={id}>
      {options.map(([key, name]) => (
        <option value={key} selected={key === value}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Nothing for a portal without categories. */
export function CategoryField({ frame, value }: { frame: Frame; value: number | null }) {
  const { submitPage } = frame.texts
  const categories = frame.portal.categories.map(({ id, name }): [string, string] => [String(id), name])
  if (!categories.length) return ''
  return (
    <Field id="category" label={submitPage.category}>
      <Choice id="category" value={String(value ?? '')} options={[['', submitPage.noCategory], ...categories]} />
    </Field>
  )
}

/** A browser does not send files again that belonged to an earlier form. */
export function FilesField({ frame, error }: { frame: Frame; error: string | undefined }) {
  const { submitPage } = frame.texts
  return (
    <Field id="files" label={submitPage.files} hint={submitPage.filesHint} error={error}>
      <input
        class="input"
        id="files"
        name="files"
        type="file"
        multiple
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={describedBy('files')}
      />
    </Field>
  )
}
