import { Icon, type IconName } from './icon'

interface MenuItemProps {
  /** Id of the menu, which closes. */
  menu: string
  icon: IconName
  text: string
  hotkey?: string
  isDanger?: boolean
  /** Why the item cannot be chosen now. */
  reason?: string | undefined
  onClick: () => void
}

export const MenuItem = ({ menu, icon, text, hotkey, isDanger, reason, onClick }: MenuItemProps) => (
  <button
    class={isDanger ? 'danger' : undefined}
    type="button"
    popovertarget={menu}
    popovertargetaction="hide"
    disabled={reason !== undefined}
    onClick={onClick}
  >
    <Icon name={icon} />
    <span>
      {text}
      {reason !== undefined && <span class="xs muted block">{reason}</span>}
    </span>
    {hotkey && (
      <span class="kbd push" aria-hidden="true">
        {hotkey}
      </span>
    )}
  </button>
)
