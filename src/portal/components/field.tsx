import type { Child } from 'hono/jsx'
import { Icon } from './icon'

interface FieldProps {
  id: string
  label: string
  hint?: string | undefined
  /** Replaces the hint. */
  error?: string | undefined
  children: Child
}

/** The control has `aria-describedby={describedBy(id)}`. */
export const Field = ({ id, label, hint, error, children }: FieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {error ? (
      <p class="error" id={describedBy(id)}>
        <Icon name="triangle-alert" />
        <span>{error}</span>
      </p>
    ) : hint ? (
      <p class="hint" id={describedBy(id)}>
        {hint}
      </p>
    ) : (
      ''
    )}
  </div>
)

export const describedBy = (id: string): string => `${id}-note`
