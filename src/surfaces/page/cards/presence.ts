import { type Html, markup } from '../html.ts'
import { card, linkOut, type Part, withoutData } from './card.ts'

type Presence = {
  readonly score: number
  readonly status: string
  readonly summary: string
  readonly engines: readonly {
    readonly engine: string
    readonly top_matches: readonly { readonly title: string; readonly url: string; readonly type: string }[]
  }[]
  readonly signals: { readonly social_handles_found: readonly string[] }
  readonly total_ms: number
}

const CIRCUMFERENCE = 2 * Math.PI * 44
const MAX_MATCHES = 4

/** How visible the name is on the web. */
export function presenceCard(
  part: Part,
  { number, label, again }: { number: number; label: string; again: string },
): Html {
  const common = { number, title: 'Presence', source: `/v1/name-search-presence?name=${encodeURIComponent(label)}` }
  const empty = withoutData(part, 'Nothing was found.', again)
  if (empty) return card({ ...common, body: empty })
  const { score, status, summary, engines, signals, total_ms: totalMs } = (part as { data: Presence }).data
  const matches = engines.flatMap(({ top_matches: found }) => found).slice(0, MAX_MATCHES)
  const handles = signals.social_handles_found
  return card({
    ...common,
    aside: 'use of the name on the web',
    body: markup`<div class="row">
        <svg width="98" height="98" viewBox="11 11 98 98" role="img" aria-label="Presence ${score} of 100: ${status}">
          <circle cx="60" cy="60" r="44" class="dial" />
          <circle
            cx="60"
            cy="60"
            r="44"
            class="dial on"
            stroke-dasharray="${((score / 100) * CIRCUMFERENCE).toFixed(1)} ${CIRCUMFERENCE.toFixed(1)}"
            transform="rotate(-90 60 60)"
          />
          <text x="60" y="71" text-anchor="middle" class="fig">${score}</text>
        </svg>
        <p class="grow"><b>${capitalized(status)}.</b> ${summary}</p>
      </div>
      <dl>
        ${
          handles.length === 0
            ? null
            : markup`<dt>Handles found</dt>
                <dd>${handles.join(', ')}</dd>`
        }${
          matches.length === 0
            ? null
            : markup`<dt>Found</dt>
                <dd>
                  ${matches.map(({ title, url, type }) => markup`${linkOut(url, markup`<bdi>${title}</bdi>`)} <small class="q">${type}</small><br />`)}
                </dd>`
        }
      </dl>`,
    notes: [`${totalMs} ms`],
  })
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
