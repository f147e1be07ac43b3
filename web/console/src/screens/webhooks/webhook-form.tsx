import { useProducts } from '../../api/products'
import type { Webhook, WebhookBody } from './requests'
import { texts } from './texts/texts'

type Origin = NonNullable<WebhookBody['except']>[number]

/** What the fields hold. */
export interface Draft {
  name: string
  url: string
  except: readonly Origin[]
  /** Patterns, one a line; empty for all events. */
  events: string
  /** External keys; empty for all products. */
  products: readonly string[]
}

const ORIGINS: readonly Origin[] = ['api', 'import', 'incoming_webhook', 'portal', 'mcp', 'queue', 'cron']

export const EMPTY_DRAFT: Draft = { name: '', url: '', events: '', except: [], products: [] }

export const toDraft = ({ name, url, events, except, products }: Webhook): Draft => ({
  name,
  url,
  events: events.includes('*') ? '' : events.join('\n'),
  except: ORIGINS.filter((origin) => except.includes(origin)),
  products: products ?? [],
})

export function toBody({ name, url, events, except, products }: Draft): WebhookBody {
  const patterns = events.split(/[\s,]+/).filter(Boolean)
  return {
    ...(name.trim() && { name: name.trim() }),
    url: url.trim(),
    events: patterns.length ? patterns : ['*'],
    except: [...except],
    products: products.length ? [...products] : null,
  }
}

/** As long as a name of a key may be. */
const MAX_KEY_NAME = 200

export const nameOfKey = ({ name, url }: Draft): string =>
  texts.key.name(name.trim() || url.trim().replace(/^https?:\/\//, '')).slice(0, MAX_KEY_NAME)

const toggle = <T,>(values: readonly T[], value: T): T[] =>
  values.includes(value) ? values.filter((other) => other !== value) : [...values, value]

interface WebhookFieldsProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

export function WebhookFields({ draft, onChange }: WebhookFieldsProps) {
  const products = useProducts()
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  return (
    <>
      <div class="field">
        <label for="webhook-url">{texts.url}</label>
        <input
          class="input"
          id="webhook-url"
          type="url"
          required
          maxLength={2048}
          value={draft.url}
          aria-describedby="webhook-url-hint"
          onInput={({ currentTarget: { value } }) => change({ url: value })}
          autofocus
        />
        <p class="hint" id="webhook-url-hint">
          {texts.urlHint}
        </p>
      </div>
      <div class="field">
        <label for="webhook-name">{texts.name}</label>
        <input
          class="input"
          id="webhook-name"
          maxLength={200}
          value={draft.name}
          aria-describedby="webhook-name-hint"
          onInput={({ currentTarget: { value } }) => change({ name: value })}
        />
        <p class="hint" id="webhook-name-hint">
          {texts.nameHint}
        </p>
      </div>
      <div class="field">
        <label for="webhook-events">{texts.events}</label>
        <textarea
          class="textarea"
          id="webhook-events"
          rows={3}
          value={draft.events}
          aria-describedby="webhook-events-hint"
          onInput={({ currentTarget: { value } }) => change({ events: value })}
        />
        <p class="hint" id="webhook-events-hint">
          {texts.eventsHint}
        </p>
      </div>
      {products.length > 0 && (
        <fieldset>
          <legend class="label">{texts.products}</legend>
          <div class="row wrap">
            {products.map(({ externalKey, name }) => (
              <label key={externalKey} class="check">
                <input
                  type="checkbox"
                  checked={draft.products.includes(externalKey)}
                  onChange={() => change({ products: toggle(draft.products, externalKey) })}
                />
                <span>{name}</span>
              </label>
            ))}
          </div>
          <p class="hint">{texts.productsHint}</p>
        </fieldset>
      )}
      <fieldset>
        <legend class="label">{texts.exceptLegend}</legend>
        <div class="row wrap">
          {ORIGINS.map((origin) => (
            <label key={origin} class="check">
              <input
                type="checkbox"
                checked={draft.except.includes(origin)}
                onChange={() => change({ except: toggle(draft.except, origin) })}
              />
              <span>{texts.origins[origin]}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </>
  )
}
