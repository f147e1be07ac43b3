const DELAY_MS = 350
const MIN_CHARACTERS = 3

/** Shows similar ideas below the form while a visitor types the title. */
export function enableSimilarIdeas(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-similar]')
  const title = form?.querySelector<HTMLInputElement>('#title')
  const place = document.querySelector('#similar')
  if (!form || !title || !place) return
  const compared = form.querySelector<HTMLInputElement>('[name=compared]')
  let timer = 0
  let search = new AbortController()
  const find = async () => {
    search.abort()
    search = new AbortController()
    const text = title.value.trim()
    if (text.length < MIN_CHARACTERS) return place.replaceChildren()
    try {
      const query = new URLSearchParams({ title: text })
      const response = await fetch(`${form.dataset.similar}?${query}`, { signal: search.signal })
      if (!response.ok) return
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      place.replaceChildren(...page.body.childNodes)
      if (compared) compared.value = 'yes'
    } catch {
      // The search is a help only: the form works without the list.
    }
  }
  title.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(find, DELAY_MS)
  })
}
