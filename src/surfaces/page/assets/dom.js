const SVG = 'http://www.w3.org/2000/svg'
const SVG_TAGS = new Set(['svg', 'path', 'circle', 'text', 'title'])

/**
 * An element with attributes and children. Text is never parsed as markup.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] null, undefined and false are left out
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const made = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false)
      made.setAttribute(name, value === true ? '' : String(value))
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false))
  return made
}

/** The ring and the word of a state. @param {string} state @param {string} word */
export const stateWord = (state, word) =>
  element('span', { class: `s ${state}` }, element('i', { class: 'o', 'aria-hidden': 'true' }), word)

/** `14 Mar 2027`. @param {string} date */
export const day = (date) =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `$2,400`. @param {number} amount */
export const dollars = (amount) => `$${amount.toLocaleString('en', { maximumFractionDigits: 0 })}`

const SAID_MS = 6000
/** @type {HTMLElement | undefined} */
let announcer
/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence

/** Shows a short message at the edge of the window, and tells it to screen readers. @param {string} message */
export function announce(message) {
  if (!announcer) {
    announcer = element('p', { class: 'say', role: 'status' })
    document.body.append(announcer)
  }
  announcer.textContent = message
  clearTimeout(silence)
  silence = setTimeout(() => announcer?.replaceChildren(), SAID_MS)
}
