import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** All elements that are shown, also those in shadow roots. A string, because it runs in the page. */
const SHOWN = `(() => {
  const found = []
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.checkVisibility({ visibilityProperty: true })) found.push(element)
      if (element.shadowRoot) walk(element.shadowRoot)
    }
  }
  walk(document.body)
  return found
})()`
const NAME = `((element) => element.tagName.toLowerCase() + '.' + element.getAttribute('class') + ' ' + element.textContent.trim().slice(0, 40))`

/** Fails with the elements that a rule complains about. Needs `bypassCSP`: axe itself is a script. */
async function assertRules(state: string, builder: AxeBuilder): Promise<void> {
  const options = { resultTypes: ['violations' as const] }
  // Without legacy mode axe opens another page for each run.
  const { violations } = await builder.options(options).setLegacyMode(true).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  assert.deepEqual(found, [], state)
}

export const assertAccessible = (page: Page, state: string): Promise<void> =>
  assertRules(state, new AxeBuilder({ page }))

/** Colours are all that another colour scheme changes, and most of what a run of axe costs. */
const assertContrast = (page: Page, state: string, { known }: LookOptions): Promise<void> => {
  const builder = new AxeBuilder({ page }).withRules(['color-contrast'])
  return assertRules(state, known === undefined ? builder : builder.exclude(known))
}

type LookOptions = {
  /** A part of the page whose colours were looked at on another one. */
  readonly known?: string
}

export async function assertNoSidewaysScroll(page: Page, state: string): Promise<void> {
  const [content, window] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  assert.ok(content! <= window!, `${state}: ${content} in ${window}`)
}

/** Text that does not fit into its box and cannot be scrolled to. */
const CUT = `${SHOWN}.filter((element) => {
  const { overflowY, clipPath } = getComputedStyle(element)
  return overflowY === 'hidden' && clipPath === 'none' && element.scrollHeight > element.clientHeight + 1
}).map(${NAME})`

const MOVING = `[
  ...document.getAnimations().map(() => 'an animation'),
  ...${SHOWN}.filter((element) => getComputedStyle(element).transitionDuration !== '0s').map(${NAME}),
]`

const zoomText = (page: Page, size: string): Promise<unknown> =>
  page.evaluate(`document.documentElement.style.fontSize = '${size}'`)

/** Everything fits into the width: nothing scrolls sideways, and no text is cut off. */
export async function assertFits(page: Page, state: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await assertNoSidewaysScroll(page, `${state} at ${width} pixels`)
  assert.deepEqual(await page.evaluate(CUT), [], `${state} at ${width} pixels cuts text off`)
}

/** The widths of a small phone, a phone, a desk at 200 % zoom, and a desk. */
const WIDTHS = [320, 390, 640, 1280]

/**
 * Looks at what the page shows, on a phone and a desk, light and dark, zoomed, with reduced motion and in print. All looks
 * are taken of one load: only what a look can change is looked at again.
 */
export async function assertLooks(page: Page, state: string, options: LookOptions = {}): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const width of WIDTHS) {
    await assertFits(page, state, width)
    if (width === 390) await assertAccessible(page, `${state}, light, on a phone`)
  }
  assert.deepEqual(await page.evaluate(MOVING), [], `${state} moves although it should not`)
  await zoomText(page, '200%')
  for (const width of [390, 1280]) await assertFits(page, `${state} with large text`, width)
  await zoomText(page, '')
  await page.emulateMedia({ colorScheme: 'dark' })
  await assertContrast(page, `${state}, dark, at a desk`, options)
  await assertPrint(page, state)
}

/** Sum of red, green and blue, from 0 to 765. */
const LIGHT = `((color) => (color.match(/[\\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))`
const PRINT_PROBLEMS = `(() => {
  const shown = ${SHOWN}
  const isControl = 'input, textarea, select, button, .btn, nav, .skip'
  const texts = shown.filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  const out = shown.filter((element) => element.matches('a[href]') && element.origin !== location.origin && element.protocol !== 'mailto:')
  return [
    ...shown.filter((element) => element.matches(isControl) && element.getBoundingClientRect().width > 1 && getComputedStyle(element).opacity !== '0').map((element) => 'control: ' + ${NAME}(element)),
    ...shown.filter((element) => element.matches('a') && /^ask again/i.test(element.textContent)).map((element) => 'control: ' + ${NAME}(element)),
    ...texts.filter((element) => ${LIGHT}(getComputedStyle(element).color) > 250).map((element) => 'not black: ' + ${NAME}(element)),
    ...[document.body, ...shown].filter((element) => {
      const { backgroundColor } = getComputedStyle(element)
      return !/, 0\\)$/.test(backgroundColor) && ${LIGHT}(backgroundColor) < 750
    }).map((element) => 'not white: ' + ${NAME}(element)),
    ...out.filter((element) => !getComputedStyle(element, '::after').content.includes(element.getAttribute('href'))).map((element) => 'without its address: ' + ${NAME}(element)),
  ]
})()`

/** Black on white, without controls, with the addresses of links to elsewhere. Leaves the page on a screen. */
async function assertPrint(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  // A4 without margins has about this width.
  await page.setViewportSize({ width: 700, height: 990 })
  await assertNoSidewaysScroll(page, `${state} in print`)
  assert.deepEqual(await page.evaluate(PRINT_PROBLEMS), [], `${state} in print`)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
}

const FOCUSED = `(() => {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
})()`
/** What a person should reach with the keyboard: a group of radio buttons is reached by one of them. */
const REACHABLE = `${SHOWN}.filter((element) =>
  element.matches('a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]') &&
  !(element.type === 'radio' && !element.checked)
)`
const HAS_VISIBLE_FOCUS = `((element) => {
  const outlined = (of, pseudo) => getComputedStyle(of, pseudo).outlineStyle !== 'none'
  const next = element.nextElementSibling
  return outlined(element) || outlined(element, '::after') || getComputedStyle(element).boxShadow !== 'none' ||
    (element.type === 'radio' && next !== null && outlined(next))
})`

/** Tab reaches everything, shows where it is, and leaves the page at its end. */
export async function assertKeyboard(page: Page, state: string): Promise<void> {
  // The body has the focus for a moment: Tab starts at the top, also after a click further down.
  await page.evaluate(`{
    window.reachable = new Set(${REACHABLE})
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  }`)
  const steps = await page.evaluate<number>('window.reachable.size')
  const invisible: string[] = []
  let count = 0
  for (; count <= steps + 1; count++) {
    await page.keyboard.press('Tab')
    const where = await page.evaluate<string | null>(`(() => {
      const element = ${FOCUSED}
      if (!element || element === document.body) return null
      window.reachable.delete(element)
      return ${HAS_VISIBLE_FOCUS}(element) ? '' : ${NAME}(element)
    })()`)
    if (where === null) break
    if (where !== '') invisible.push(where)
  }
  assert.ok(count <= steps + 1, `${state}: Tab never leaves the page`)
  assert.deepEqual(invisible, [], `${state}: the focus cannot be seen`)
  assert.deepEqual(await page.evaluate(`[...window.reachable].map(${NAME})`), [], `${state}: out of reach`)
}

/** Sums up layout shifts as `window.shifts`. */
export const COUNT_SHIFTS = `
  window.shifts = 0
  new PerformanceObserver((list) =>
    list.getEntries().forEach(({ value, hadRecentInput }) => (window.shifts += hadRecentInput ? 0 : value)),
  ).observe({ type: 'layout-shift', buffered: true })`
