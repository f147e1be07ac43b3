import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { useProducts } from '../../api/products'
import { AskDialog } from '../../parts/ask-dialog'
import { chosenProduct } from '../../state/product'
import { firstChoice, keyOfNew } from '../webhooks/acting-key'
import { KeyField } from '../webhooks/key-field'
import { EMPTY_DRAFT, HookFields, toBody } from './form'
import { select } from './place'
import { type NewHook, PROVIDERS, type Provider, readAgain, SCOPES } from './requests'
import { texts } from './texts/texts'

interface CreateDialogProps {
  me: Me
  onMade: (made: NewHook) => void
  onClose: () => void
}

export function CreateDialog({ me, onMade, onClose }: CreateDialogProps) {
  const products = useProducts()
  const [provider, setProvider] = useState<Provider>('github')
  const [chosen, setProduct] = useState(chosenProduct.value ?? '')
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [secret, setSecret] = useState('')
  const [choice, choose] = useState(() => firstChoice(me))
  const product = chosen || (products[0]?.externalKey ?? '')
  async function create(): Promise<void> {
    const order = { name: texts.keyName(texts.providers[provider]), scopes: SCOPES[draft.action] }
    const key = keyOfNew(choice, me, order)
    const made = await client.createIncomingWebhook({
      body: { ...toBody(draft), ...{ provider, product }, ...(secret && { secret }), ...key },
    })
    await readAgain()
    select(made.id)
    onMade(made)
  }
  return (
    <AskDialog
      title={texts.createTitle}
      action={texts.createAction}
      failed={texts.notCreated}
      isReady={product !== ''}
      onAct={create}
      onClose={onClose}
    >
      <div class="field">
        <label for="hook-provider">{texts.provider}</label>
        <select
          class="select"
          id="hook-provider"
          value={provider}
          autofocus
          onChange={({ currentTarget: { value } }) => setProvider(value as Provider)}
        >
          {PROVIDERS.map((name) => (
            <option key={name} value={name}>
              {texts.providers[name]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="hook-product">{texts.product}</label>
        <select
          class="select"
          id="hook-product"
          value={product}
          onChange={({ currentTarget: { value } }) => setProduct(value)}
        >
          {products.map(({ externalKey, name }) => (
            <option key={externalKey} value={externalKey}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <HookFields draft={draft} onChange={setDraft} />
      <div class="field">
        <label for="hook-secret">{texts.ownSecret}</label>
        <input
          class="input mono"
          id="hook-secret"
          maxLength={200}
          autocomplete="off"
          value={secret}
          aria-describedby="hook-secret-hint"
          onInput={({ currentTarget: { value } }) => setSecret(value)}
        />
        <p class="hint" id="hook-secret-hint">
          {texts.ownSecretHints[provider === 'generic' ? 'generic' : 'signed']}
        </p>
      </div>
      <KeyField me={me} choice={choice} onChoose={choose} />
    </AskDialog>
  )
}
