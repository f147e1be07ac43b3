import { enableSimilarIdeas } from './similar.ts'
import { enableThemeSwitch } from './switch-theme.ts'
import { enableVotes } from './votes.ts'

enableThemeSwitch()
enableVotes()
enableSimilarIdeas()
for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-submit]')) {
  const button = select.form?.querySelector('button')
  if (button) button.hidden = true
  select.addEventListener('change', () => select.form?.requestSubmit())
}
