const root = document.documentElement

const isDark = () =>
  root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches

export function enableThemeSwitch(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-switch-theme]')) {
    button.hidden = false
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark'
      try {
        localStorage.setItem('theme', root.dataset.theme)
      } catch {
        // The choice lasts for this page.
      }
    })
  }
}
