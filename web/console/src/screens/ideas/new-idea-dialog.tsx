import { useState } from 'preact/hooks'
import { toParagraphs } from '../../../../../src/text/html/paragraphs'
import { client } from '../../api/client'
import { useProducts } from '../../api/products'
import { AskDialog } from '../../parts/ask-dialog'
import { chosenProduct } from '../../state/product'
import { showCreated } from '../../state/toast'
import { texts as shared } from '../../texts/texts'
import { pathOf, readFilters, select } from './filters'
import type { IdeaList } from './idea-list'
import { MAX_TITLE } from './requests'
import { texts } from './texts/texts'

const MAX_TEXT = 100_000
const MAX_ADDRESS = 254

/** An idea that somebody told the team, or an idea of the team. */
export function NewIdeaDialog({ list, onClose }: { list: IdeaList; onClose: () => void }) {
  const products = useProducts()
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [email, setEmail] = useState('')
  const [picked, pick] = useState(chosenProduct.value)
  const product = products.find(({ externalKey }) => externalKey === picked) ?? products[0]

  async function create(): Promise<void> {
    const { external_key: key } = await client.createFeedbackItem({
      body: {
        ...{ title: title.trim(), product: product?.externalKey ?? '' },
        ...(text.trim() && { long_description: toParagraphs(text) }),
        ...(email.trim() && { user: { email: email.trim() } }),
      },
    })
    await list.readFirst()
    select(key)
    showCreated(key, pathOf(readFilters(), key))
  }

  return (
    <AskDialog
      title={texts.newIdea}
      action={texts.createIdea}
      failed={texts.notCreated}
      isReady={title.trim() !== '' && product !== undefined}
      reason={product ? undefined : shared.products.empty}
      onAct={create}
      onClose={onClose}
    >
      <label class="field">
        <span class="label">{texts.titleField}</span>
        <input
          class="input"
          required
          maxLength={MAX_TITLE}
          value={title}
          autofocus
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span class="label">{texts.textField}</span>
        <textarea
          class="textarea"
          maxLength={MAX_TEXT}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span class="label">{texts.product}</span>
        <select class="select" value={product?.externalKey} onChange={(event) => pick(event.currentTarget.value)}>
          {products.map(({ externalKey, name }) => (
            <option key={externalKey} value={externalKey}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div class="field">
        <label class="label" for="new-idea-author">
          {texts.author}
        </label>
        <input
          class="input"
          id="new-idea-author"
          type="email"
          maxLength={MAX_ADDRESS}
          value={email}
          aria-describedby="new-idea-author-hint"
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
        <p class="hint" id="new-idea-author-hint">
          {texts.authorHint}
        </p>
      </div>
    </AskDialog>
  )
}
