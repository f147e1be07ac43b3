import { Icon } from '../../parts/icon'
import { texts } from './texts/texts'

const NAMES = ['firstName', 'lastName', 'email', 'unsubscribeUrl'] as const

interface VariableMenuProps {
  id: string
  /** Names of attributes that the people have. */
  attributes: readonly string[]
  onChoose: (variable: string) => void
}

/** Puts a variable into the text, in the place of the cursor. */
export const VariableMenu = ({ id, attributes, onChoose }: VariableMenuProps) => (
  <>
    <button
      class="btn ghost small push"
      type="button"
      popovertarget={id}
      onMouseDown={(event) => event.preventDefault()}
    >
      {texts.insertVariable}
      <Icon name="down" />
    </button>
    <div class="menu end" id={id} popover="auto" role="group" aria-label={texts.variables}>
      {[...NAMES, ...attributes.map((name) => `attributes.${name}`)].map((name) => (
        <button
          key={name}
          type="button"
          popovertarget={id}
          popovertargetaction="hide"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(`{{${name}}}`)}
        >
          <code>{`{{${name}}}`}</code>
        </button>
      ))}
    </div>
  </>
)
