import { Icon } from '../../parts/icon'
import { InlineTitle } from '../../parts/inline-title'
import { BASE } from '../../state/place'
import { ColorDot } from './color-dot'
import { Picture } from './picture'
import { DETAIL_TITLE, pathOf, type View } from './place'
import type { Persona } from './requests'
import { texts } from './texts/texts'

export interface EditProps {
  persona: Persona
  may: boolean
  /** `base` is the persona as it was when the person began. */
  save: (change: Partial<Persona>, base?: Persona) => void
}

const MAX_NAME = 200

export const Heading = ({ persona, view, may, save, onRemove }: EditProps & { view: View; onRemove: () => void }) => (
  <header class="stack tight">
    <div class="row wrap">
      <a
        class="btn ghost icon small back"
        href={BASE + pathOf({ ...view, persona: undefined })}
        aria-label={texts.backToList}
      >
        <Icon name="back" />
      </a>
      <span class="key">{persona.externalKey}</span>
      <ColorDot color={persona.color} />
      {may && (
        <button class="btn ghost small danger push" type="button" onClick={onRemove}>
          <Icon name="remove" />
          {texts.remove}
        </button>
      )}
    </div>
    <div class="row top">
      <Picture persona={persona} isLarge />
      <InlineTitle
        id={DETAIL_TITLE}
        name={texts.fields.name}
        record={persona}
        value={persona.name}
        maxLength={MAX_NAME}
        mayChange={may}
        onSave={(name, base) => save({ name }, base)}
      />
    </div>
  </header>
)
