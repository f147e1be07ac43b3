import type { Child } from 'hono/jsx'
import assets from '../../http/page-assets.json'
import { LANGUAGE_NAMES, LANGUAGES } from '../texts/language'
import { Avatar } from './avatar'
import { Banner } from './banner'
import {
  baseOf,
  type Frame,
  feedPathOf,
  pathOf,
  publicAddressOf,
  publicOriginOf,
  signInPathOf,
  withSlash,
} from './frame'
import { Icon } from './icon'
import { themePathOf } from './theme'

export type Tab = 'ideas' | 'roadmap' | 'changelog'

interface LayoutProps {
  frame: Frame
  title: string
  tab?: Tab | undefined
  /** Only pages with a description may be indexed and previewed. */
  description?: string | undefined
  /** Path of a picture for previews of a link; default: the logo. */
  picture?: string | null | undefined
  children: Child
}

const addressIn = (frame: Frame, language: Frame['language']) => publicAddressOf(frame, { language, path: frame.path })

interface PublicMetaProps {
  frame: Frame
  title: string
  description: string
  picture: string | null
}

/** Addresses of the page in every language, and the preview of a shared link. */
function PublicMeta({ frame, title, description, picture }: PublicMetaProps) {
  const address = addressIn(frame, frame.language)
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      {LANGUAGES.map((language) => (
        <link rel="alternate" hreflang={language} href={addressIn(frame, language)} />
      ))}
      <link rel="alternate" hreflang="x-default" href={addressIn(frame, frame.portal.locale)} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={frame.portal.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      {picture ? <meta property="og:image" content={publicOriginOf(frame) + picture} /> : ''}
    </>
  )
}

function Logo({ portal }: Pick<Frame, 'portal'>) {
  if (!portal.logoUrl)
    return (
      <span class="logo" aria-hidden="true">
        {Array.from(portal.name)[0]?.toUpperCase()}
      </span>
    )
  if (!portal.darkLogoUrl) return <img class="logo-image" src={portal.logoUrl} width="28" height="28" alt="" />
  return (
    <>
      <img class="logo-image only-light" src={portal.logoUrl} width="28" height="28" alt="" />
      <img class="logo-image only-dark" src={portal.darkLogoUrl} width="28" height="28" alt="" />
    </>
  )
}

function AccountMenu({ frame, name }: { frame: Frame; name: string }) {
  const { texts } = frame
  return (
    <>
      <button class="btn ghost icon" type="button" popovertarget="account">
        <span class="sr">{texts.accountOf(name)}</span>
        <Avatar name={name} />
      </button>
      <div class="menu end" id="account" popover="auto">
        <a href={pathOf(frame, '/profile')}>
          <Icon name="user" />
          {texts.profile}
        </a>
        <a href={pathOf(frame, '/profile#mail')}>
          <Icon name="bell" />
          {texts.mailPreferences}
        </a>
        <hr />
        <form method="post" action={pathOf(frame, '/sign-out')}>
          <button type="submit">
            <Icon name="log-out" />
            {texts.signOut}
          </button>
        </form>
      </div>
    </>
  )
}

function SiteHeader({ frame, tab }: { frame: Frame; tab: Tab | undefined }) {
  const { portal, texts, visitor } = frame
  const tabs: [Tab, string, boolean][] = [
    ['ideas', '', portal.slug !== ''],
    ['roadmap', '/roadmap', portal.hasRoadmap],
    ['changelog', '/changelog', portal.hasChangelog],
  ]
  return (
    <header class="site">
      <div class="page">
        <a class="brand" href={pathOf(frame, '')}>
          <Logo portal={portal} />
          {portal.name}
        </a>
        <nav aria-label={texts.portal}>
          {tabs.map(([name, path, isShown]) =>
            isShown ? (
              <a href={pathOf(frame, path)} aria-current={name === tab ? 'page' : undefined}>
                {texts[name]}
              </a>
            ) : (
              ''
            ),
          )}
        </nav>
        <div class="row push">
          <button class="btn ghost icon" type="button" data-switch-theme hidden aria-label={texts.switchTheme}>
            <Icon name="moon" />
          </button>
          {visitor ? <AccountMenu frame={frame} name={visitor.name} /> : ''}
          {frame.signInPath && !visitor && !frame.path.startsWith('/sign-in') ? (
            <a class="btn" href={signInPathOf(frame, pathOf(frame, frame.path))}>
              {texts.signIn}
            </a>
          ) : (
            ''
          )}
        </div>
      </div>
    </header>
  )
}

function SiteFooter({ frame }: { frame: Frame }) {
  const { portal, texts, language } = frame
  return (
    <footer class="foot">
      <div class="page">
        <span>{portal.name}</span>
        {portal.isPrivate ? (
          <span class="row">
            <Icon name="lock" />
            {texts.privatePortal}
          </span>
        ) : (
          ''
        )}
        <nav class="row" aria-label={texts.languages}>
          {LANGUAGES.filter((one) => portal.slug && one !== language).map((one) => (
            <a href={withSlash(baseOf({ portal, language: one }) + frame.path)} lang={one} hreflang={one}>
              {LANGUAGE_NAMES[one]}
            </a>
          ))}
        </nav>
        <span class="push faint">{texts.runsOn}</span>
      </div>
    </footer>
  )
}

export function Layout({ frame, title, tab, description, picture, children }: LayoutProps) {
  const { portal, texts, language } = frame
  const isPublic = description !== undefined && !portal.isPrivate
  return (
    <html lang={language} data-theme={portal.mode === 'system' ? undefined : portal.mode}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${portal.name}`}</title>
        {isPublic ? (
          <PublicMeta frame={frame} title={title} description={description} picture={picture ?? portal.logoUrl} />
        ) : (
          <meta name="robots" content="noindex" />
        )}
        <link rel="icon" href={portal.logoUrl ?? '/favicon.ico'} />
        <link rel="stylesheet" href={assets['base.css']} />
        <link rel="stylesheet" href={assets['portal.css']} />
        {portal.slug ? <link rel="stylesheet" href={themePathOf(portal)} /> : ''}
        <script src={assets['theme.js']} />
        <script src={assets['portal.js']} type="module" />
        {portal.hasChangelog && isPublic ? (
          <>
            <link rel="alternate" type="application/atom+xml" href={feedPathOf(frame, 'atom')} />
            <link rel="alternate" type="application/feed+json" href={feedPathOf(frame, 'json')} />
          </>
        ) : (
          ''
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          {texts.skip}
        </a>
        <SiteHeader frame={frame} tab={tab} />
        <main class="page" id="main" tabindex={-1}>
          {children}
        </main>
        <SiteFooter frame={frame} />
        {frame.visitor ? (
          <template id="vote-failed">
            <Banner tone="red" icon="triangle-alert" title={texts.vote.failed} action={texts.vote.tryAgain}>
              {texts.vote.failedHint}
            </Banner>
          </template>
        ) : (
          ''
        )}
      </body>
    </html>
  )
}
