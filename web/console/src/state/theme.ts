import { store } from './stored'

const root = document.documentElement

const isDark = () =>
  root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches

/** The portal reads the same choice. */
export function switchTheme(): void {
  root.dataset.theme = isDark() ? 'light' : 'dark'
  store('theme', root.dataset.theme)
}
