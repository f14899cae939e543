// Adds typing, keys and copying to pages that work without a script.
const TYPING_PAUSE_MS = 250
const field = document.querySelector('input[name="q"]')

const addressOf = (asked) =>
  `/${asked.includes('.') && !/\.eth$/i.test(asked) ? 'd' : 'n'}/${encodeURIComponent(asked)}`

let pause
field?.addEventListener('input', () => {
  clearTimeout(pause)
  const asked = field.value.trim()
  if (asked.length < 2 || asked.endsWith('.') || !field.closest('.ask')) return
  pause = setTimeout(() => location.assign(addressOf(asked)), TYPING_PAUSE_MS)
})

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, textarea, select')) return
  if (event.key === '/') {
    event.preventDefault()
    field?.focus()
    field?.select()
  }
})
