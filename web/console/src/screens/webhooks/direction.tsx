import { BASE } from '../../state/place'
import { texts } from './texts/texts'

const PATHS = { outgoing: '/webhooks', incoming: '/webhooks/incoming' } as const

interface DirectionProps {
  current: keyof typeof PATHS
  /** The bar of a wide screen has room for it, and a narrow screen shows it above the list. */
  class: 'only-wide' | 'only-narrow'
}

/** Leads between the endpoints of the team and the addresses that others send to. */
export const Direction = ({ current, class: name }: DirectionProps) => (
  <nav class={`segmented ${name}`} aria-label={texts.direction}>
    {(['outgoing', 'incoming'] as const).map((name) => (
      <a key={name} href={BASE + PATHS[name]} aria-current={name === current ? 'page' : undefined}>
        {texts[name]}
      </a>
    ))}
  </nav>
)
