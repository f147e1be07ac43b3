import { importTexts } from './texts/texts'

export const nameOfField = (name: string): string => importTexts.fields[name] ?? name

export const nameOfValue = (value: string): string => importTexts.values[value] ?? value

/** The name of the API stands below the plain name, for people who write files. */
export const FieldName = ({ name }: { name: string }) => (
  <>
    {nameOfField(name)}
    {nameOfField(name) !== name && ' '}
    {nameOfField(name) !== name && <code class="field-code">{name}</code>}
  </>
)
