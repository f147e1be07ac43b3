import { BASE } from '../../state/place'
import { pathOf } from './place'
import { texts } from './texts/texts'

const VIEWS = [
  [false, texts.listView],
  [true, texts.boardView],
] as const

export const ViewSwitch = ({ isBoard }: { isBoard: boolean }) => (
  <nav class="segmented" aria-label={texts.views}>
    {VIEWS.map(([leadsToBoard, name]) => (
      <a
        key={name}
        href={BASE + pathOf({ isBoard: leadsToBoard, persona: undefined, segment: '' })}
        aria-current={isBoard === leadsToBoard ? 'page' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
)
