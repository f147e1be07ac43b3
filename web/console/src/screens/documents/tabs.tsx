import { BASE } from '../../state/place'
import { PATH, TEMPLATE_PATH } from './place'
import { texts } from './texts/texts'

/** Documents of the product, and the templates of the workspace. */
export const Tabs = ({ current }: { current: 'documents' | 'templates' }) => (
  <nav class="segmented" aria-label={texts.parts}>
    <a href={BASE + PATH} aria-current={current === 'documents' ? 'true' : undefined}>
      {texts.documents}
    </a>
    <a href={BASE + TEMPLATE_PATH} aria-current={current === 'templates' ? 'true' : undefined}>
      {texts.templates}
    </a>
  </nav>
)
