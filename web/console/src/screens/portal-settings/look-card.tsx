import { useState } from 'preact/hooks'
import { useProducts } from '../../api/products'
import { LogoField } from './logo-field'
import { isColor } from './measure-contrast'
import type { PartProps } from './portal-form'
import { Preview } from './preview'
import { texts } from './texts/texts'

const MODES = ['system', 'light', 'dark'] as const
const LOCALES = ['en', 'de'] as const
const LOGOS = ['logo', 'darkLogo'] as const

interface LookCardProps extends PartProps {
  workspace: string
  may: boolean
  /** The stored address, while the portal is open. */
  openSlug: string | null
}

export function LookCard({ portal, edit, workspace, may, openSlug }: LookCardProps) {
  const products = useProducts()
  const [sent, setSent] = useState<Readonly<Record<number, string>>>({})
  const product = portal.products[0] ?? products[0]?.externalKey
  /** An open portal shows its stored files; a new file has a path in its product. */
  const pathOf = (id: number | null) => {
    if (id === null) return undefined
    return sent[id] ?? (openSlug ? `/api/v2/portal/${openSlug}/files/${id}` : undefined)
  }
  return (
    <section class="card pad stack" aria-labelledby="portal-look">
      <h2 class="h3" id="portal-look">
        {texts.look.title}
      </h2>
      <div class="field">
        <label for="portal-name">{texts.look.name}</label>
        <input
          class="input"
          id="portal-name"
          maxLength={200}
          autocomplete="off"
          aria-describedby="portal-name-hint"
          value={portal.name ?? ''}
          onInput={({ currentTarget }) => edit({ name: currentTarget.value || null })}
        />
        <p class="hint" id="portal-name-hint">
          {texts.look.nameHint(workspace)}
        </p>
      </div>
      <AccentField portal={portal} edit={edit} />
      {LOGOS.map((field) => (
        <LogoField
          key={field}
          field={field}
          isChosen={portal[field] !== null}
          path={pathOf(portal[field])}
          product={product}
          may={may}
          onSent={(id, path) => {
            setSent((known) => ({ ...known, [id]: path }))
            edit({ [field]: id })
          }}
          onRemove={() => edit({ [field]: null })}
        />
      ))}
      <div class="field">
        <label for="portal-mode">{texts.look.mode}</label>
        <select
          class="select"
          id="portal-mode"
          value={portal.mode}
          onChange={({ currentTarget }) => edit({ mode: currentTarget.value as (typeof MODES)[number] })}
        >
          {MODES.map((mode) => (
            <option key={mode} value={mode}>
              {texts.look.modes[mode]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="portal-locale">{texts.look.locale}</label>
        <select
          class="select"
          id="portal-locale"
          value={portal.locale}
          onChange={({ currentTarget }) => edit({ locale: currentTarget.value as (typeof LOCALES)[number] })}
        >
          {LOCALES.map((locale) => (
            <option key={locale} value={locale}>
              {texts.look.locales[locale]}
            </option>
          ))}
        </select>
      </div>
      <Preview
        portal={portal}
        title={portal.name ?? workspace}
        logos={{ light: pathOf(portal.logo), dark: pathOf(portal.darkLogo ?? portal.logo) }}
      />
    </section>
  )
}

function AccentField({ portal: { accent }, edit }: PartProps) {
  const isWrong = !isColor(accent)
  return (
    <div class="field">
      <label for="portal-accent">{texts.look.accent}</label>
      <div class="row">
        <input
          class="swatch"
          type="color"
          aria-label={texts.look.pick}
          value={isWrong ? undefined : accent}
          onInput={({ currentTarget }) => edit({ accent: currentTarget.value })}
        />
        <input
          class="input"
          id="portal-accent"
          required
          maxLength={7}
          pattern="#[0-9a-f]{6}"
          spellcheck={false}
          autocomplete="off"
          aria-invalid={isWrong}
          aria-describedby="portal-accent-hint"
          value={accent}
          onInput={({ currentTarget }) => edit({ accent: currentTarget.value.trim().toLowerCase() })}
        />
      </div>
      <p class={isWrong ? 'error' : 'hint'} id="portal-accent-hint">
        {isWrong ? texts.look.accentProblem : texts.look.accentHint}
      </p>
    </div>
  )
}
