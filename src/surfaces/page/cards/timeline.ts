import { type Html, markup } from '../html.ts'
import { ring } from '../shell.ts'
import { day } from './card.ts'

/** A moment in the life of a registration. */
type Step = { readonly state: string; readonly name: string; readonly note: string; readonly at: number }

/** What a registration is in between two steps. */
type Phase = { readonly state: string; readonly name: string; readonly note: string; readonly from: number }

export type Dates = { readonly created?: string; readonly updated?: string; readonly expires?: string }

type Options = {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Whether the TLD follows the common rules after expiry; those of countries have their own. */
  readonly isGeneric: boolean
}

const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS
/** What follows the expiry of a name under a generic TLD, if nobody renews it. */
const GRACE_DAYS = 45
const REDEMPTION_DAYS = 30
const DELETION_DAYS = 5

type Life = { readonly steps: readonly Step[]; readonly phases: readonly Phase[] }

/** The life of the registration, in the order of time. */
function lifeOf({ created, updated, expires }: Dates, { now, isGeneric }: Options): Life {
  const step = (state: string, name: string, note: string, at: number): Step => ({ state, name, note, at })
  const steps = [step('now', 'today', '', now)]
  const phases: Phase[] = [{ state: 'taken', name: '', note: '', from: -Infinity }]
  if (created) steps.push(step('taken', 'created', '', Date.parse(created)))
  if (updated) steps.push(step('taken', 'updated', '', Date.parse(updated)))
  if (expires) {
    const expiry = Date.parse(expires)
    const isOver = expiry < now
    steps.push(step('taken', isOver ? 'expired' : 'expires', isOver ? '' : 'unless the holder renews it', expiry))
    if (isGeneric) {
      const redemption = expiry + GRACE_DAYS * DAY_MS
      const deletion = redemption + REDEMPTION_DAYS * DAY_MS
      const release = deletion + DELETION_DAYS * DAY_MS
      phases.push(
        { state: 'sale', name: 'grace', note: `up to ${GRACE_DAYS} days to renew`, from: expiry },
        { state: 'bad', name: 'redemption', note: `${REDEMPTION_DAYS} days, for a fee`, from: redemption },
        { state: 'bad thin', name: 'deletion', note: `${DELETION_DAYS} days`, from: deletion },
      )
      steps.push(
        step('sale', 'grace ends', `up to ${GRACE_DAYS} days: renewal at the usual price`, redemption),
        step('bad', 'redemption ends', `${REDEMPTION_DAYS} days: restored for a fee only`, deletion),
        step('free', 'free again', `after ${DELETION_DAYS} days of deletion, if nobody renewed it`, release),
      )
    }
  }
  return { steps: steps.filter(({ at }) => Number.isFinite(at)).toSorted((a, b) => a.at - b.at), phases }
}

/** The registration as a timeline: a drawing on wide screens, a list on narrow ones. Undefined without a date. */
export function timeline(dates: Dates, domain: string, options: Options): Html | undefined {
  const life = lifeOf(dates, options)
  if (life.steps.length < 2) return undefined
  return markup`<figure class="broad">${drawing(life, domain, options.now)}</figure>
<ol class="steps narrow">${life.steps.map(
    ({ state, name, note, at }, index) =>
      markup`<li class="${state}">${ring}${stemTo(life.steps[index + 1])}<span><b>${name}</b>${note === '' ? null : markup`<br><small class="q">${note}</small>`}</span><time datetime="${new Date(at).toISOString()}">${day(at)}</time></li>
`,
  )}</ol>`
}

/** The line of the list from a step to the next one. */
const stemTo = (next: Step | undefined): Html | null =>
  next === undefined ? null : markup`<i class="stem ${next.state}" aria-hidden="true"></i>`

const WIDTH = 1200
const MARGIN = 50
const LINE_Y = 66
/** Named in the drawing by the phase before them. */
const ENDS_OF_PHASES = new Set(['grace ends', 'redemption ends'])

/** Steps at equal distances: to scale, a life of thirty years would leave no room for the weeks that matter. */
function drawing({ steps, phases }: Life, domain: string, now: number): Html {
  const gap = (WIDTH - 2 * MARGIN) / Math.max(steps.length - 1, 1)
  const x = (at: number) => (MARGIN + at * gap).toFixed(0)
  const words = steps.map(({ name, at }) => `${name} ${day(at)}`).join(', ')
  const parts = steps.slice(1).map((step, index) => {
    const from = steps[index]!
    const phase = phases.findLast((one) => one.from <= from.at)!
    const isFirst = phase.from >= from.at
    const note = from.at === now && phase.name === '' ? distance(step.at - now) : phase.note
    return { from: x(index), to: x(index + 1), middle: x(index + 0.5), phase, name: isFirst ? phase.name : '', note }
  })
  return markup`<svg viewBox="0 0 ${WIDTH} 124" role="img" aria-label="${domain}: ${words}">
${parts.map(
  ({ from, to, middle, phase, name, note }) =>
    markup`<path class="phase ${phase.state}" d="M${from} ${LINE_Y}H${to}"/>${name === '' ? null : markup`<text class="h" x="${middle}" y="32" text-anchor="middle">${name}</text>`}${note === '' ? null : markup`<text class="q" x="${middle}" y="50" text-anchor="middle">${note}</text>`}
`,
)}${steps.map(
    ({ state, name, at }, index) =>
      markup`<g class="${state}"><circle cx="${x(index)}" cy="${LINE_Y}" r="9" class="knob"/>${ENDS_OF_PHASES.has(name) ? null : markup`<text class="h" x="${x(index)}" y="32" text-anchor="middle">${name}</text>`}<text class="q" x="${x(index)}" y="104" text-anchor="middle">${day(at)}</text></g>
`,
  )}</svg>`
}

/** `119 days left`. */
function distance(ms: number): string {
  const days = Math.round(ms / DAY_MS)
  if (ms >= 2 * YEAR_MS) return `${Math.floor(ms / YEAR_MS)} years left`
  return days === 1 ? '1 day left' : `${days} days left`
}
