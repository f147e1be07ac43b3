import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { useProducts } from '../../api/products'
import { AskDialog } from '../../parts/ask-dialog'
import { type KeyKind, type KeyScope, type NewKey, PUBLISHABLE_SCOPE } from './key-requests'
import { ScopeChoice } from './scope-choice'
import { texts } from './texts/texts'

interface AddKeyDialogProps {
  me: Me
  onMade: (key: NewKey) => void
  onClose: () => void
}

const KINDS: readonly KeyKind[] = ['secret', 'publishable']

const toggle = <T,>(chosen: ReadonlySet<T>, one: T): ReadonlySet<T> =>
  new Set(chosen.has(one) ? [...chosen].filter((other) => other !== one) : [...chosen, one])

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export function AddKeyDialog({ me, onMade, onClose }: AddKeyDialogProps) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<KeyKind>('secret')
  const [scopes, setScopes] = useState<ReadonlySet<KeyScope>>(new Set())
  const [products, setProducts] = useState<ReadonlySet<string>>(new Set())
  const [origins, setOrigins] = useState('')
  const [until, setUntil] = useState('')
  const isPublishable = kind === 'publishable'
  async function create(): Promise<void> {
    const granted: KeyScope[] = isPublishable ? [PUBLISHABLE_SCOPE] : scopes.has('*') ? ['*'] : [...scopes]
    const body = {
      ...{ name: name.trim(), kind, scopes: granted },
      ...(isPublishable && { origins: linesOf(origins) }),
      ...(!isPublishable && products.size > 0 && { products: [...products] }),
      ...(until && { expiresAt: until }),
    }
    onMade(await client.createApiKey({ body }))
  }
  return (
    <AskDialog
      title={texts.keys.add}
      action={texts.keys.add}
      failed={texts.keys.createFailed}
      isReady={name.trim() !== '' && (isPublishable ? linesOf(origins).length > 0 : scopes.size > 0)}
      reason={isPublishable || name.trim() === '' ? undefined : texts.keys.needsScope}
      onAct={create}
      onClose={onClose}
    >
      <div class="field">
        <label for="key-name">{texts.keys.name}</label>
        <input
          class="input"
          id="key-name"
          required
          maxLength={200}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          autofocus
        />
      </div>
      <fieldset>
        <legend class="label">{texts.keys.kind}</legend>
        <div class="stack tight">
          {KINDS.map((one) => (
            <label key={one} class="check">
              <input type="radio" name="kind" checked={one === kind} onChange={() => setKind(one)} />
              <span>
                {texts.keys.kinds[one]}
                <span class="sm muted block">{texts.keys.kindHints[one]}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {isPublishable && (
        <div class="field">
          <label for="key-origins">{texts.keys.origins}</label>
          <textarea
            class="textarea"
            id="key-origins"
            required
            rows={3}
            aria-describedby="key-origins-hint"
            value={origins}
            onInput={({ currentTarget }) => setOrigins(currentTarget.value)}
          />
          <p class="hint" id="key-origins-hint">
            {texts.keys.originsHint}
          </p>
        </div>
      )}
      {!isPublishable && (
        <>
          <ScopeChoice me={me} chosen={scopes} onToggle={(scope) => setScopes(toggle(scopes, scope))} />
          <ProductChoice chosen={products} onToggle={(key) => setProducts(toggle(products, key))} />
        </>
      )}
      <div class="field">
        <label for="key-until">{texts.keys.until}</label>
        <input
          class="input"
          id="key-until"
          type="date"
          aria-describedby="key-until-hint"
          value={until}
          onInput={({ currentTarget }) => setUntil(currentTarget.value)}
        />
        <p class="hint" id="key-until-hint">
          {texts.keys.untilHint}
        </p>
      </div>
    </AskDialog>
  )
}

interface ProductChoiceProps {
  chosen: ReadonlySet<string>
  onToggle: (key: string) => void
}

function ProductChoice({ chosen, onToggle }: ProductChoiceProps) {
  const products = useProducts()
  if (!products.length) return null
  return (
    <fieldset>
      <legend class="label">{texts.keys.products}</legend>
      <p class="hint">{texts.keys.productsHint}</p>
      {products.map(({ externalKey, name }) => (
        <label key={externalKey} class="check">
          <input type="checkbox" checked={chosen.has(externalKey)} onChange={() => onToggle(externalKey)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}
