import type { Operations } from 'groundwork-client'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { client } from '../api/client'
import type { Me } from '../api/me'
import { useProducts } from '../api/products'
import { useQuery } from '../api/queries'
import { Icon, type IconName } from '../parts/icon'
import { Modal } from '../parts/modal'
import { hasLetterKeys } from '../state/keys'
import { goTo } from '../state/place'
import { chooseProduct } from '../state/product'
import { pathOfRecord } from '../state/record-path'
import { switchTheme } from '../state/theme'
import { texts } from '../texts/texts'
import { listLinks } from './navigation'
import { signOut } from './sidebar'

type FoundRecord = Operations['searchRecords']['data'][number]

interface Choice {
  id: string
  icon: IconName
  text: string
  detail?: string
  run: () => void
}

const PAUSE_MS = 150
const MAX_RESULTS = 12

interface PaletteProps {
  me: Me
  onClose: () => void
  onHelp: () => void
}

export function Palette({ me, onClose, onHelp }: PaletteProps) {
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const commands = useCommands(me, onHelp).filter(({ text: name }) => matches(name, text))
  const records = useFoundRecords(text).map(toChoice)
  const choices = [...records, ...commands]
  const place = Math.min(current, choices.length - 1)
  const run = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    choice.run()
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') run(choices[place])
    else if (step) setCurrent((place + step + choices.length) % choices.length)
    else return
    event.preventDefault()
  }
  useEffect(() => document.getElementById(`choice-${place}`)?.scrollIntoView({ block: 'nearest' }), [place])
  const show = (choice: Choice, n: number) => (
    <div
      key={choice.id}
      id={`choice-${n}`}
      role="option"
      tabIndex={-1}
      aria-selected={n === place}
      class="choice"
      onClick={() => run(choice)}
      onKeyDown={(event) => event.key === 'Enter' && run(choice)}
    >
      <Icon name={choice.icon} />
      <span class="truncate">{choice.text}</span>
      {choice.detail && <span class="key push">{choice.detail}</span>}
    </div>
  )
  return (
    <Modal label={texts.palette.label} className="palette" onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices.length ? `choice-${place}` : undefined}
        aria-label={texts.palette.field}
        placeholder={texts.palette.placeholder}
        maxLength={500}
        autocomplete="off"
        onInput={(event) => {
          setText(event.currentTarget.value)
          setCurrent(0)
        }}
        onKeyDown={move}
      />
      <p class="sr" role="status">
        {texts.palette.found(choices.length)}
      </p>
      <div id="choices" class="choices" role="listbox" aria-label={texts.palette.label}>
        {records.length > 0 && <ChoiceGroup title={texts.palette.results}>{records.map(show)}</ChoiceGroup>}
        {commands.length > 0 && (
          <ChoiceGroup title={texts.palette.commands}>
            {commands.map((choice, n) => show(choice, records.length + n))}
          </ChoiceGroup>
        )}
      </div>
      {choices.length === 0 && <p class="none sm muted">{texts.palette.none}</p>}
      <footer aria-hidden="true">
        {texts.palette.keys.map((hint) => (
          <span key={hint}>{hint}</span>
        ))}
      </footer>
    </Modal>
  )
}

const ChoiceGroup = ({ title, children }: { title: string; children: preact.ComponentChildren }) => (
  <div role="group" aria-label={title}>
    <div class="group" aria-hidden="true">
      {title}
    </div>
    {children}
  </div>
)

const fold = (text: string) => text.toLowerCase().trim()
const matches = (name: string, text: string) => fold(name).includes(fold(text))

const toChoice = ({ type, externalKey, title, product }: FoundRecord): Choice => ({
  id: `${type}-${externalKey}`,
  icon: 'file',
  text: title,
  detail: externalKey,
  run: () => goTo(pathOfRecord({ type, externalKey, product }) ?? `/records/${type}/${externalKey}`),
})

function useFoundRecords(text: string): readonly FoundRecord[] {
  const [settled, settle] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data = [] } = useQuery<FoundRecord[]>({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => client.searchRecords({ q: settled, limit: MAX_RESULTS }, { signal }),
    enabled: settled !== '',
  })
  return settled === '' ? [] : data
}

function useCommands(me: Me, onHelp: () => void): readonly Choice[] {
  const products = useProducts()
  return useMemo(
    () => [
      ...listLinks(me).map(
        ({ path, icon, label, keys }): Choice => ({
          id: path,
          icon,
          text: label,
          ...(keys !== undefined && hasLetterKeys.value && { detail: keys.toUpperCase() }),
          run: () => goTo(path),
        }),
      ),
      { id: 'import', icon: 'upload', text: texts.imports.start, run: () => goTo('/imports/new') },
      ...[{ externalKey: null, name: texts.allProducts }, ...products].map(
        ({ externalKey, name }): Choice => ({
          id: `product-${externalKey}`,
          icon: 'product',
          text: `${texts.productsMenu}: ${name}`,
          run: () => chooseProduct(externalKey),
        }),
      ),
      { id: 'theme', icon: 'theme', text: texts.switchTheme, run: switchTheme },
      { id: 'keys', icon: 'keyboard', text: texts.keys.help, run: onHelp },
      { id: 'out', icon: 'out', text: texts.signOut, run: () => void signOut() },
    ],
    [me, products, onHelp],
  )
}
