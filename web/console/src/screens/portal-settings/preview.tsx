import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { language } from '../../texts/texts'
import { contrastOf, isColor, toHex } from './measure-contrast'
import type { Portal } from './requests'
import { texts } from './texts/texts'

const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** WCAG 2.2, level AA, for text of the size of a page. */
const NEEDED_CONTRAST = 4.5
const ratios = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })

/** A sheet holds the color, because the content security policy allows no style attributes. */
const sheet = new CSSStyleSheet()

interface PreviewProps {
  portal: Portal
  title: string
  logos: Readonly<Record<Theme, string | undefined>>
}

export function Preview({ portal, title, logos }: PreviewProps) {
  const [accent, setAccent] = useState<string>()
  useEffect(() => {
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [])
  useLayoutEffect(() => {
    if (!isColor(portal.accent)) return
    sheet.replaceSync(`.accented { --accent-base: ${portal.accent} }`)
    setAccent(portal.accent)
  }, [portal.accent])
  return (
    <div class="stack tight">
      <h3 class="h4">{texts.preview.title}</h3>
      <div class="previews">
        {THEMES.filter((theme) => portal.mode === 'system' || portal.mode === theme).map((theme) => (
          <ThemePreview key={theme} theme={theme} accent={accent} portal={portal} title={title} logo={logos[theme]} />
        ))}
      </div>
    </div>
  )
}

interface ThemePreviewProps {
  theme: Theme
  accent: string | undefined
  portal: Portal
  title: string
  logo: string | undefined
}

interface Measured {
  button: number
  link: number
  shown: string
}

function ThemePreview({ theme, accent, portal, title, logo }: ThemePreviewProps) {
  const [measured, setMeasured] = useState<Measured>()
  const [broken, setBroken] = useState<string>()
  const page = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  const link = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!accent || !page.current || !button.current || !link.current) return
    const [ground, filled, text] = [page.current, button.current, link.current].map((one) => getComputedStyle(one))
    if (!ground || !filled || !text) return
    setMeasured({
      button: contrastOf(filled.color, filled.backgroundColor),
      link: contrastOf(text.color, ground.backgroundColor),
      shown: toHex(filled.backgroundColor),
    })
  }, [accent, theme])
  const colors = texts.preview.colors[theme]
  return (
    <div class="stack tight">
      <div
        ref={page}
        class="portal-preview accented"
        data-theme={theme}
        role="img"
        aria-label={texts.preview.label(colors)}
      >
        <div class="row">
          {logo && logo !== broken ? (
            <img class="logo-thumb" src={logo} alt="" width="28" height="28" onError={() => setBroken(logo)} />
          ) : (
            <span class="preview-letter">{Array.from(title)[0]?.toUpperCase()}</span>
          )}
          <span class="b truncate">{title}</span>
        </div>
        <div class="preview-tabs">
          <span class="on">{texts.preview.tabs.ideas}</span>
          {portal.roadmap && <span>{texts.preview.tabs.roadmap}</span>}
          {portal.changelog && <span>{texts.preview.tabs.changelog}</span>}
        </div>
        <span class="b">{texts.preview.idea}</span>
        <div class="row wrap">
          <span ref={button} class="preview-button">
            {texts.preview.submit}
          </span>
          <span ref={link} class="preview-link">
            {texts.preview.more}
          </span>
        </div>
      </div>
      <p class="sm muted" role="status">
        {measured && accent && describe(measured, colors, accent)}
      </p>
    </div>
  )
}

function describe({ button, link, shown }: Measured, colors: string, accent: string): string {
  const contrast = texts.preview.contrast(colors, ratios.format(button), ratios.format(link))
  const needed = texts.preview.needed(ratios.format(NEEDED_CONTRAST))
  return [contrast, needed, ...(shown === accent ? [] : [texts.preview.adapted(accent, shown)])].join(' ')
}
