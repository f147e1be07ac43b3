import { useState } from 'preact/hooks'
import { Banner } from '../../parts/banner'
import { Icon } from '../../parts/icon'
import { texts } from '../../texts/texts'
import { ColumnRow } from './column-row'
import { MailBanner } from './mail-banner'
import { countUndecided, listOpenValues, type Target, targetOf } from './mapping'
import { OpenValues } from './open-values'
import { nameOfPreset } from './product-names'
import type { ImportRun } from './requests'
import { RunOptions } from './run-options'
import { importTexts } from './texts/texts'
import type { Wizard } from './use-wizard'

export function ColumnsStep({ wizard }: { wizard: Wizard }) {
  const { preview, choices } = wizard
  const [showsOpen, setShowsOpen] = useState(false)
  if (!preview) return null
  const { mapping, fields = [], firstValues = [] } = preview
  const columns = mapping.columns.map((column, n) => ({ ...column, place: n, first: firstValues[n] ?? null }))
  const open = listOpenValues(preview.warnings, choices)
  const openOf = (name: string) => open.filter(({ column }) => column === name).length
  const shown = showsOpen ? columns.filter(({ column }) => openOf(column) > 0) : columns
  const mapped = columns.filter((column) => targetOf(column) !== 'ignored').length
  const aim = (column: string, target: Target) =>
    wizard.choose({ ...choices, targets: new Map(choices.targets).set(column, target) })
  return (
    <>
      <Detected
        run={preview}
        isOff={!wizard.settings.detectsProduct}
        onSwitch={(detectsProduct) => wizard.set({ ...wizard.settings, detectsProduct })}
      />
      <MailBanner warnings={preview.warnings} />
      {open.length > 0 && (
        <OpenValues
          values={open}
          fields={fields}
          choices={choices}
          warnings={wizard.isOutdated ? undefined : preview.warnings}
          onDecide={(decisions) => wizard.choose({ ...choices, decisions })}
        />
      )}
      <section class="card" aria-labelledby="columns">
        <header>
          <h2 class="h3" id="columns">
            {texts.imports.columns}
          </h2>
          <span class="sm muted">{texts.imports.mapped(mapped, columns.length)}</span>
          <label class="row sm push">
            <input
              type="checkbox"
              class="switch"
              checked={showsOpen}
              onChange={(event) => setShowsOpen(event.currentTarget.checked)}
            />
            {texts.imports.onlyOpen}
          </label>
        </header>
        <div class="scroll-x">
          <table class="table stack-table">
            <thead>
              <tr>
                <th scope="col">{texts.imports.column}</th>
                <th scope="col">{texts.imports.first}</th>
                <th scope="col">{texts.imports.goesTo}</th>
                <th scope="col">{texts.imports.note}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((column) => (
                <ColumnRow
                  key={column.place}
                  column={column}
                  first={column.first}
                  fields={fields}
                  openValues={openOf(column.column)}
                  hasAttributes={wizard.source?.kind !== 'changelog'}
                  isChosen={choices.targets.has(column.column)}
                  onChoose={(target) => aim(column.column, target)}
                />
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <RunOptions
        kind={preview.kind}
        settings={wizard.settings}
        created={preview.mapping.createMissing ?? []}
        onSet={wizard.set}
      />
      <Actions wizard={wizard} run={preview} />
    </>
  )
}

interface DetectedProps {
  run: ImportRun
  /** The person has taken the product back. */
  isOff: boolean
  onSwitch: (detectsProduct: boolean) => void
}

function Detected({ run: { mapping, file, totals }, isOff, onSwitch }: DetectedProps) {
  const { preset, certainty, presetReason } = mapping
  const title = isOff
    ? texts.imports.detectionIsOff
    : preset === null
      ? texts.imports.unknownProduct
      : certainty === 'certain'
        ? texts.imports.looksLike(nameOfPreset(preset))
        : texts.imports.likely(nameOfPreset(preset))
  return (
    <Banner
      tone={preset === null ? 'gray' : 'teal'}
      icon="info"
      title={title}
      action={
        (isOff || preset !== null) && (
          <button class="btn ghost small" type="button" onClick={() => onSwitch(isOff)}>
            {isOff ? texts.imports.detect : texts.imports.otherProduct(nameOfPreset(preset ?? ''))}
          </button>
        )
      }
    >
      <p>
        {!isOff && presetReason} {texts.imports.fileFacts(file, totals.rows)}
      </p>
    </Banner>
  )
}

const Actions = ({ wizard, run }: { wizard: Wizard; run: ImportRun }) => {
  const { rows, created, updated, skipped, rejected } = run.totals
  const undecided = countUndecided(run.warnings)
  return (
    <div class="actions">
      <p class="sm" role="status">
        {wizard.isChecking ? (
          <span class="muted">{texts.imports.checking}</span>
        ) : (
          <>
            <strong class="num">{texts.imports.outcome(rows)}</strong>{' '}
            <span class="muted">{texts.imports.outcomeText(created, updated, skipped, rejected)}</span>
            {undecided > 0 && <span class="block muted">{importTexts.undecided(undecided)}</span>}
          </>
        )}
      </p>
      <div class="row push">
        <button class="btn" type="button" onClick={() => wizard.setStep('file')}>
          <Icon name="back" />
          {texts.back}
        </button>
        <button class="btn primary" type="button" aria-busy={wizard.isChecking} onClick={wizard.showDryRun}>
          {texts.imports.toDryRun}
        </button>
      </div>
    </div>
  )
}
