import type { ComponentChildren } from 'preact'

interface PairProps {
  name: string
  /** Id of the field, whose label is the name. */
  id?: string
  children: ComponentChildren
}

export const Pair = ({ name, id, children }: PairProps) => (
  <div class="pair">
    <dt>{id ? <label for={id}>{name}</label> : name}</dt>
    <dd>{children}</dd>
  </div>
)

export const None = () => <span class="muted">—</span>
