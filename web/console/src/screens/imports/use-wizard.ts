import { useEffect, useRef, useState } from 'preact/hooks'
import { queries, showStored } from '../../api/queries'
import { goTo } from '../../state/place'
import { buildMapping, type Choices, NO_CHOICES } from './mapping'
import { belongsToProduct, type ImportKind, type ImportRequest, type ImportRun, sendImport } from './requests'

export type Step = 'file' | 'columns' | 'dryRun' | 'import'

export interface Settings {
  onConflict: 'skip' | 'update'
  /** Undefined for the choice of the service. */
  createMissing: readonly string[] | undefined
  detectsProduct: boolean
}

const DEFAULTS: Settings = { onConflict: 'skip', createMissing: undefined, detectsProduct: true }

/** A larger file is checked when the person asks for the dry run, and not after each choice. */
const MAX_CHECKED_BYTES = 5_000_000
const PAUSE_MS = 300

/** The file, the choices and the newest dry run of the wizard. */
export function useWizard() {
  const [step, setStep] = useState<Step>('file')
  const [source, setSource] = useState<{ kind: ImportKind; product: string | null; file: File }>()
  const [choices, setChoices] = useState<Choices>(NO_CHOICES)
  const [settings, setSettings] = useState<Settings>(DEFAULTS)
  const [preview, setPreview] = useState<ImportRun>()
  const [isChecking, setChecking] = useState(false)
  const [isOutdated, setOutdated] = useState(false)
  const [error, setError] = useState<unknown>()
  const [sent, setSent] = useState(0)
  const running = useRef<AbortController>(undefined)
  const timer = useRef<number>(undefined)

  const requestOf = (from: NonNullable<typeof source>, decided: Choices, chosen: Settings): ImportRequest => ({
    ...from,
    mapping: buildMapping(decided),
    onConflict: chosen.onConflict,
    detectsProduct: chosen.detectsProduct,
    createMissing: chosen.createMissing?.join(','),
  })

  async function check(request: ImportRequest): Promise<boolean> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setChecking(true)
    setError(undefined)
    try {
      const run = await sendImport(request, { dryRun: true, signal: controller.signal })
      setPreview(run)
      setOutdated(false)
      return true
    } catch (cause) {
      if (!controller.signal.aborted) setError(cause)
      return false
    } finally {
      if (running.current === controller) setChecking(false)
    }
  }

  function recheck(decided: Choices, chosen: Settings): void {
    if (!source) return
    setOutdated(true)
    if (source.file.size > MAX_CHECKED_BYTES) return
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => check(requestOf(source, decided, chosen)), PAUSE_MS)
  }

  useEffect(
    () => () => {
      clearTimeout(timer.current)
      running.current?.abort()
    },
    [],
  )

  return {
    ...{ step, setStep, source, choices, settings, preview, isChecking, isOutdated, error, sent },

    async start(kind: ImportKind, product: string | null, file: File) {
      const from = { kind, product: belongsToProduct(kind) ? product : null, file }
      const chosen = { ...settings, detectsProduct: true }
      setSource(from)
      setChoices(NO_CHOICES)
      setSettings(chosen)
      if (await check(requestOf(from, NO_CHOICES, chosen))) setStep('columns')
    },

    choose(next: Choices) {
      setChoices(next)
      recheck(next, settings)
    },

    set(next: Settings) {
      setSettings(next)
      recheck(choices, next)
    },

    async showDryRun() {
      clearTimeout(timer.current)
      if (source && (!isOutdated || (await check(requestOf(source, choices, settings))))) setStep('dryRun')
    },

    async run() {
      if (!source) return
      setError(undefined)
      setStep('import')
      try {
        const onProgress = (bytes: number, total: number) => setSent(Math.round((100 * bytes) / total))
        const run = await sendImport(requestOf(source, choices, settings), { dryRun: false, onProgress })
        showStored(['import', run.id], run)
        void queries.invalidateQueries({ queryKey: ['import', 'list'] })
        const query = source.product === null ? '' : `?${new URLSearchParams({ product: source.product })}`
        goTo(`/imports/${run.id}${query}`, { replaces: true })
      } catch (cause) {
        setError(cause)
        setStep('dryRun')
      }
    },
  }
}

export type Wizard = ReturnType<typeof useWizard>
