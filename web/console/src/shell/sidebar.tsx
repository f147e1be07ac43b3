import { client } from '../api/client'
import { outlastChanges } from '../api/connection'
import type { Me } from '../api/me'
import { useProducts } from '../api/products'
import { Icon } from '../parts/icon'
import { BASE } from '../state/place'
import { chooseProduct, chosenProduct } from '../state/product'
import { switchTheme } from '../state/theme'
import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, language, texts } from '../texts/texts'
import { Logo } from './logo'
import { isWithin, listNavigation } from './navigation'

export async function signOut(): Promise<void> {
  await outlastChanges()
  await client.signOut()
  location.assign('/sign-in?next=/console')
}

/** A narrow screen shows the page instead of the drawer that led there. */
const closeDrawer = () => document.getElementById('side')?.hidePopover()

interface SidebarProps {
  me: Me
  path: string
  onFind: () => void
  onHelp: () => void
}

/** Always shown on a wide screen, a drawer on a narrow screen. */
export const Sidebar = ({ me, path, onFind, onHelp }: SidebarProps) => (
  <aside class="side" id="side" popover="auto" aria-label={texts.sidebar}>
    <AccountMenu me={me} onHelp={onHelp} />
    <button class="find" type="button" onClick={onFind}>
      <Icon name="search" />
      {texts.palette.open}
      <span class="kbd for-keys" aria-hidden="true">
        {/Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}
      </span>
    </button>
    <nav class="stack" aria-label={texts.mainNavigation}>
      {listNavigation(me).map(({ title, links }) => (
        <div key={title}>
          {title && <h2>{title}</h2>}
          <ul class="nav">
            {links.map(({ path: target, icon, label, at = [target] }) => (
              <li key={target}>
                <a href={BASE + target} aria-current={isWithin(path, at) ? 'page' : undefined} onClick={closeDrawer}>
                  <Icon name={icon} />
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
    <div class="row side-foot">
      <ProductMenu />
      <button class="btn ghost icon small push" type="button" aria-label={texts.switchTheme} onClick={switchTheme}>
        <Icon name="theme" />
      </button>
    </div>
  </aside>
)

const AccountMenu = ({ me, onHelp }: { me: Me; onHelp: () => void }) => (
  <>
    <button class="switch" type="button" popovertarget="account" aria-label={texts.accountMenu(me.workspace.name)}>
      <Logo />
      <span class="clamp grow">{me.workspace.name}</span>
      <Icon name="down" />
    </button>
    <div class="menu" id="account" popover="auto">
      {me.user && <p class="menu-text sm muted truncate">{me.user.email}</p>}
      <button type="button" popovertarget="account" popovertargetaction="hide" onClick={onHelp}>
        <Icon name="keyboard" />
        {texts.keys.title}
      </button>
      {LANGUAGES.filter((other) => other !== language).map((other) => (
        <button key={other} type="button" lang={other} onClick={() => chooseLanguage(other)}>
          <Icon name="languages" />
          {LANGUAGE_NAMES[other]}
        </button>
      ))}
      <hr />
      <button type="button" onClick={signOut}>
        <Icon name="out" />
        {texts.signOut}
      </button>
    </div>
  </>
)

function ProductMenu() {
  const products = useProducts()
  const chosen = products.find(({ externalKey }) => externalKey === chosenProduct.value)
  const choices = [{ externalKey: null, name: texts.allProducts }, ...products]
  return (
    <>
      <button class="btn ghost small product" type="button" popovertarget="product">
        <span class="sr">{texts.productsMenu}: </span>
        <Icon name="product" />
        <span class="truncate">{chosen?.name ?? texts.allProducts}</span>
        <Icon name="down" />
      </button>
      <div class="menu" id="product" popover="auto">
        {choices.map(({ externalKey, name }) => (
          <button
            key={externalKey}
            type="button"
            aria-current={externalKey === (chosen?.externalKey ?? null) ? 'true' : undefined}
            popovertarget="product"
            popovertargetaction="hide"
            onClick={() => chooseProduct(externalKey)}
          >
            <span class="truncate">{name}</span>
          </button>
        ))}
      </div>
    </>
  )
}
