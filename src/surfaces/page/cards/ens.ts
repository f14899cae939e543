import { type Html, markup } from '../html.ts'
import { card, day, money, type Part, state, withoutData } from './card.ts'

type Ens = {
  readonly name: string
  readonly available: boolean
  readonly registrationPrice?: { readonly eth: string; readonly usdEstimate?: number } | null
  readonly premium?: Premium
  readonly expiry?: {
    readonly expires_at: string
    readonly grace_period_ends: string
    readonly in_grace_period: boolean
  }
}
type Premium = {
  readonly premium_usd: number
  readonly ends_at: string
  readonly curve?: readonly { readonly at: string; readonly premium_usd: number }[]
}

/** Whether the ENS name is free, what it costs, and how its premium falls. */
export function ensCard(part: Part, { number, label, again }: { number: number; label: string; again: string }): Html {
  const common = { number, title: markup`<span class="n">${label}.eth</span>`, source: `/v1/ens/check?name=${label}` }
  const empty = withoutData(part, `${label}.eth cannot be registered.`, again)
  if (empty) return card({ ...common, body: empty })
  const { available, registrationPrice, premium, expiry } = (part as { data: Ens }).data
  if (!available) {
    const until = expiry ? markup`until <time datetime="${expiry.expires_at}">${day(expiry.expires_at)}</time>` : null
    const grace = expiry?.in_grace_period
      ? markup`<p>It has expired. Its holder can renew it until ${day(expiry.grace_period_ends)}.</p>`
      : null
    return card({
      ...common,
      aside: state('taken', 'taken'),
      body: markup`<p>Registered ${until}.</p>
        ${grace}`,
    })
  }
  const usd = registrationPrice?.usdEstimate
  return card({
    ...common,
    aside: state('free', premium ? 'free, at a premium' : 'free'),
    body: markup`<p>
        ${usd === undefined ? null : markup`<span class="big">${money(usd)}</span> `}<span class="q"
          >${
            premium ? markup`today, of which ${money(premium.premium_usd)} are premium` : 'for a year'
          }${registrationPrice ? markup` (${Number(registrationPrice.eth).toFixed(4)} ETH)` : null}</span
        >
      </p>
      ${premium?.curve ? premiumCurve(label, premium) : null}`,
  })
}

const WIDTH = 600
const HEIGHT = 196
const PLOT = { left: 64, right: 590, top: 28, bottom: 150 }

/** The premium from now to its end. */
function premiumCurve(label: string, { premium_usd: now, ends_at: end, curve = [] }: Premium): Html {
  const times = curve.map(({ at }) => Date.parse(at))
  const [first = 0, last = 1] = [times[0], times.at(-1)]
  const x = (time: number) => PLOT.left + ((time - first) / Math.max(last - first, 1)) * (PLOT.right - PLOT.left)
  const y = (usd: number) => PLOT.bottom - (usd / Math.max(now, 1)) * (PLOT.bottom - PLOT.top)
  const points = curve.map(({ at, premium_usd: usd }) => `${x(Date.parse(at)).toFixed(1)} ${y(usd).toFixed(1)}`)
  const title = `Premium of ${label}.eth: ${money(now)} now, none from ${day(end)}.`
  return markup`<figure>
    <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
      <path d="M${PLOT.left} ${PLOT.bottom}H${PLOT.right}M${PLOT.left} ${PLOT.top}H${PLOT.right}" class="grid" />
      <g text-anchor="end">
        <text class="q" x="${PLOT.left - 8}" y="${PLOT.bottom + 4}">$0</text>
        <text class="q" x="${PLOT.left - 8}" y="${PLOT.top + 4}">${money(Math.round(now))}</text>
      </g>
      <path d="M${points.join('L')}" class="curve" />
      <text class="q h" x="${PLOT.left}" y="176">today</text>
      <text class="q" text-anchor="end" x="${PLOT.right}" y="176">${day(end)}</text>
    </svg>
  </figure>`
}
