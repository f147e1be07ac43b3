const health = document.querySelector('#health')
const form = document.querySelector('form')
const result = document.querySelector('#result')

/** The message of a response, or of a failure before it. */
async function call(path, headers) {
  try {
    const response = await fetch(path, { headers })
    return await response.json()
  } catch {
    return { success: false, message: 'The service did not answer. Try again in a minute.' }
  }
}

call('/health').then(({ message }) => {
  health.textContent = message
})

form.hidden = false
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const key = new FormData(form)
    .get('key')
    .trim()
    .replace(/^Bearer /i, '')
  result.textContent = 'Calling GET /api/v2/me …'
  // Header values have no other characters.
  if (!/^[!-~]+$/.test(key)) {
    result.textContent = 'This is no API key. Paste the key without spaces.'
    return
  }
  const { success, message, data } = await call('/api/v2/me', { authorization: `Bearer ${key}` })
  const name = [data?.user?.firstName, data?.user?.lastName].filter(Boolean).join(' ') || data?.user?.email
  result.textContent = success ? `The key works. It acts as ${name} in the workspace ${data.workspace.name}.` : message
})
