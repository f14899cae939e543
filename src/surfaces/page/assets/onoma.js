// Adds typing, keys, filters and wallets to pages that work without a script. Runs while the page is still arriving.
import { listenForKeys } from './keys.js'

const TYPING_PAUSE_MS = 250

listenForKeys()

/** A domain has a page of its own; a name of ENS is a name. @param {string} asked */
const addressOf = (asked) =>
  `/${asked.includes('.') && !/\.eth$/i.test(asked) ? 'd' : 'n'}/${encodeURIComponent(asked)}`

/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause
document.addEventListener('input', (event) => {
  const field = event.target
  // An input method that is composing a character has not typed it yet.
  if (!(field instanceof HTMLInputElement) || !field.closest('.ask') || event.isComposing) return
  clearTimeout(pause)
  const asked = field.value.trim()
  if (asked.length < 2 || asked.endsWith('.')) return
  pause = setTimeout(() => location.assign(addressOf(asked)), TYPING_PAUSE_MS)
})

/** Until the whole page is there, links and forms work without a script. */
const whenParsed = new Promise((resolve) => {
  if (document.readyState !== 'loading') resolve(undefined)
  else document.addEventListener('DOMContentLoaded', resolve, { once: true })
})

await whenParsed
const [, page] = location.pathname.split('/')
if (page === 'n') (await import('./tiles.js')).filterTiles()
if (page === 'd') (await import('./pay.js')).offerPayments()
if (page === 'bulk') (await import('./bulk.js')).checkLists()
// Shows what works with a script only, now that it does.
document.documentElement.classList.add('js')
