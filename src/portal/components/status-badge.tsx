import type { PortalStatus } from './frame'
import { shapeOf, toneOf } from './theme'

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function StatusBadge({ status, statuses }: { status: PortalStatus; statuses: readonly PortalStatus[] }) {
  const { class: tone, ...attributes } = toneOf(status.color)
  return (
    <span class={tone ? `badge ${tone}` : 'badge'} {...attributes} data-state={shapeOf(status, statuses)}>
      {capitalize(status.name)}
    </span>
  )
}
