import { type Html, markup } from '../html.ts'
import { card, day, money, type Part, state, withoutData } from './card.ts'

type Cost = { readonly eth: string; readonly usdEstimate?: number }
type Ens = {
  readonly name: string
  readonly available: boolean
  readonly owner?: string
  readonly registrationPrice?: Cost | null
  readonly premiumPrice?: Cost | null
  readonly premium?: Premium
  readonly expiry?: {
    readonly expires_at: string
    readonly grace_period_ends: string
    readonly in_grace_period: boolean
  }
}
type Premium = {
  readonly premium_usd: number
  readonly starts_at: string
  readonly ends_at: string
  readonly curve?: readonly { readonly at: string; readonly premium_usd: number }[]
}

/** Whether the ENS name is free, what it costs, and how its premium falls. */
export function ensCard(part: Part, { number, label, again }: { number: number; label: string; again: string }): Html {
  const title = markup`<span class="n"><bdi>${label}.eth</bdi></span>`
  const common = { number, title, source: `/v1/ens/check?name=${encodeURIComponent(label)}` }
  if (part.state === 'nothing') {
    const why = part.message?.replace(/^name: /, '') ?? ''
    const body = markup`<p>ENS cannot have this name${why === '' ? '.' : `: it ${why}`}</p>`
    return card({ ...common, aside: state('bad', 'invalid'), body })
  }
  const empty = withoutData(part, '', again)
  if (empty) return card({ ...common, body: empty })
  const ens = (part as { data: Ens }).data
  return card({ ...common, ...(ens.available ? freeName(ens, label) : takenName(ens)) })
}

type Content = { readonly aside: Html; readonly body: Html }

function takenName({ owner, expiry }: Ens): Content {
  const holder = owner === undefined ? null : markup`<dt>Holder</dt><dd><bdi>${owner}</bdi></dd>`
  if (!expiry) return { aside: state('taken', 'taken'), body: markup`<p>Registered.</p><dl>${holder}</dl>` }
  const { expires_at: expires, grace_period_ends: graceEnds, in_grace_period: isInGrace } = expiry
  const time = (at: string) => markup`<time datetime="${at}">${day(at)}</time>`
  return isInGrace
    ? {
        aside: state('taken', 'taken, in grace'),
        body: markup`<p>It expired on ${time(expires)}. Its holder can renew it until ${time(graceEnds)}; then it is free, at a premium that falls for 21 days.</p>
<dl>${holder}</dl>`,
      }
    : { aside: state('taken', 'taken'), body: markup`<p>Registered until ${time(expires)}.</p><dl>${holder}</dl>` }
}

function freeName({ registrationPrice, premiumPrice, premium }: Ens, label: string): Content {
  const yearUsd = registrationPrice?.usdEstimate
  const eth = Number(registrationPrice?.eth ?? 0) + (premium ? Number(premiumPrice?.eth ?? 0) : 0)
  const total = yearUsd === undefined ? undefined : yearUsd + (premium?.premium_usd ?? 0)
  const cost = premium
    ? markup`today: ${money(premium.premium_usd)} premium${yearUsd === undefined ? null : ` and ${money(yearUsd)} for a year`}`
    : 'for a year'
  return {
    aside: state('free', premium ? 'free, at a premium' : 'free'),
    body: markup`<p>${total === undefined ? null : markup`<span class="big">${money(total)}</span> `}<span class="q">${cost}${
      registrationPrice ? markup` (${eth < 1 ? eth.toFixed(4) : eth.toFixed(2)} ETH)` : null
    }</span></p>
${premium?.curve ? premiumCurve(label, premium) : null}${
      premium
        ? markup`<p class="q">Its grace period ended ${day(premium.starts_at)}. The premium halves every day and is gone on ${day(premium.ends_at)}, if nobody takes the name before.</p>`
        : null
    }`,
  }
}

const WIDTH = 600
const HEIGHT = 196
const PLOT = { left: 84, right: 590, top: 28, bottom: 150 }

/** The premium from now to its end. */
function premiumCurve(label: string, { premium_usd: now, ends_at: end, curve = [] }: Premium): Html {
  const times = curve.map(({ at }) => Date.parse(at))
  const [first = 0, last = 1] = [times[0], times.at(-1)]
  const x = (time: number) => PLOT.left + ((time - first) / Math.max(last - first, 1)) * (PLOT.right - PLOT.left)
  const y = (usd: number) => PLOT.bottom - (usd / Math.max(now, 1)) * (PLOT.bottom - PLOT.top)
  const points = curve.map(({ at, premium_usd: usd }) => `${x(Date.parse(at)).toFixed(1)} ${y(usd).toFixed(1)}`)
  const title = `Premium of ${label}.eth: ${money(now)} now, none from ${day(end)}.`
  const [left, right, top, bottom] = [PLOT.left, PLOT.right, PLOT.top, PLOT.bottom]
  return markup`<figure><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<path d="M${left} ${bottom}H${right}M${left} ${(top + bottom) / 2}H${right}M${left} ${top}H${right}" class="grid"/>
<g text-anchor="end"><text class="q" x="${left - 8}" y="${bottom + 4}">$0</text><text class="q" x="${left - 8}" y="${(top + bottom) / 2 + 4}">${shortMoney(now / 2)}</text><text class="q" x="${left - 8}" y="${top + 4}">${shortMoney(now)}</text></g>
<path d="M${points.join('L')}" class="curve"/>
<g class="now"><circle cx="${left}" cy="${top}" r="6" class="knob"/></g><text class="h" x="${left + 14}" y="${top - 8}">now ${shortMoney(now)}</text>
<g class="free"><circle cx="${right}" cy="${bottom}" r="6" class="knob"/></g><text class="h" text-anchor="end" x="${right}" y="${bottom - 16}">no premium</text>
<text class="q h" x="${left}" y="180">today</text><text class="q" text-anchor="end" x="${right}" y="180">${day(end)}</text>
</svg></figure>`
}

/** `$8.8M`: an axis has no room for all digits. */
const shortMoney = (usd: number): string =>
  usd.toLocaleString('en', { style: 'currency', currency: 'USD', notation: 'compact', maximumFractionDigits: 1 })
