const KEY_NAME = 'groundwork-key'
const SHOWN_HEADERS = ['etag', 'location', 'link', 'x-next-cursor', 'x-total-count', 'retry-after', 'x-request-id']
const SHOWN_CHARACTERS = 100_000

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)

/** The address of the call, with the values of the form. */
function makeAddress(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  let path = form.dataset.path ?? ''
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    const value = field.value.trim()
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(value))
    else if (value) query.set(field.name, value)
  }
  return query.size ? `${path}?${query}` : path
}

function makeRequest(form: HTMLFormElement): RequestInit {
  const key = find<HTMLInputElement>('#try-key')
  const file = find<HTMLInputElement>('#try-file')
  const text = find<HTMLTextAreaElement>('#try-body')?.value.trim()
  const headers = new Headers()
  if (key) {
    const token = key.value.trim().replace(/^Bearer /i, '')
    sessionStorage.setItem(KEY_NAME, token)
    headers.set('authorization', `Bearer ${token}`)
  }
  if (file?.files?.[0]) {
    const body = new FormData()
    body.set(file.name, file.files[0])
    return { method: form.dataset.method ?? 'GET', headers, body }
  }
  if (text) headers.set('content-type', 'application/json')
  return { method: form.dataset.method ?? 'GET', headers, ...(text && { body: text }) }
}

function formatBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function showTryIt(): void {
  const section = find('#try')
  const form = section?.querySelector('form')
  const status = find('#try-status')
  const answer = find('#try-answer')
  if (!section || !form || !status || !answer) return
  const key = find<HTMLInputElement>('#try-key')
  if (key) key.value = sessionStorage.getItem(KEY_NAME) ?? ''
  section.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    if (button) button.disabled = true
    status.textContent = 'Sending …'
    try {
      const response = await fetch(makeAddress(form), makeRequest(form))
      const text = await response.text()
      const headers = SHOWN_HEADERS.flatMap((name) =>
        response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
      )
      status.textContent = `Status ${response.status}`
      const shown = [...headers, '', formatBody(text)].join('\n').trim()
      answer.querySelector('code')?.replaceChildren(shown.slice(0, SHOWN_CHARACTERS))
      answer.hidden = false
    } catch {
      status.textContent = 'The call was not sent. Check the key and your network, and send it again.'
    } finally {
      if (button) button.disabled = false
    }
  })
}
