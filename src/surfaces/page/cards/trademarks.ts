import { type Html, markup } from '../html.ts'
import { card, day, isolated, type Part, state, withoutData } from './card.ts'

type Mark = {
  readonly serial_number: string
  readonly mark_text: string
  readonly status_code: string
  readonly filing_date: string
  readonly owner_name: string
  readonly class_numbers: readonly string[]
  readonly match_score: number
  readonly match_details: { readonly reasons: readonly string[] }
}
type Results = {
  readonly results: readonly Mark[]
  readonly total: number
  readonly took_ms: number
  readonly index_info: { readonly total_documents: number; readonly last_updated: string }
  readonly disclaimer: string
}

/** What a status code of the office means. */
export type StatusOf = (code: string) => { readonly description: string; readonly life: string }

type Options = { readonly number: number; readonly label: string; readonly again: string; readonly statusOf: StatusOf }

/** Trademarks that resemble the name, with the reason for each. */
export function trademarkCard(part: Part, { number, label, again, statusOf }: Options): Html {
  const source = `/v1/trademark/search?q=${encodeURIComponent(label)}`
  const common = { number, title: 'Trademarks', source, isWide: true }
  const empty = withoutData(part, 'No mark of the register resembles the name. That is not a clearance.', again)
  if (empty) return card({ ...common, body: empty })
  const { results, total, took_ms: tookMs, index_info: index, disclaimer } = (part as { data: Results }).data
  const live = results.filter(({ status_code: code }) => statusOf(code).life === 'live').length
  return card({
    ...common,
    aside: markup`<b>${live} live</b> of the first ${results.length}, ${total} match`,
    body: markup`<ol class="marks">
        ${results.map((mark) => markEntry(mark, statusOf))}
      </ol>
      <p class="note">
        One register, as of ${day(index.last_updated)}. Marks in use without registration, other countries and company
        names are not in it. ${disclaimer}
      </p>`,
    notes: [`${index.total_documents.toLocaleString('en')} records`, `${tookMs} ms`],
  })
}

function markEntry(mark: Mark, statusOf: StatusOf): Html {
  const { description, life } = statusOf(mark.status_code)
  const score = mark.match_score.toFixed(2)
  return markup`<li>
    <div>
      <p class="spell"><bdi>${mark.mark_text || 'without words'}</bdi></p>
      <p>
        ${
          life === 'live'
            ? state('bad', 'live')
            : markup`<span class="s reserved"><span aria-hidden="true">†</span> dead</span>`
        }
        ${description}
      </p>
    </div>
    <div>
      <p>${mark.class_numbers.length === 0 ? null : markup`Class <b>${mark.class_numbers.map(Number).join(', ')}</b>`}</p>
      <p class="q">${isolated(mark.owner_name)}</p>
      <p><small class="q">filed ${day(mark.filing_date)} · No. ${mark.serial_number}</small></p>
    </div>
    <div>
      <p class="row">
        <svg class="meter" viewBox="0 0 96 8" role="img" aria-label="Similarity ${score} of 1">
          <path d="M0 7.5H96" class="grid" />
          <path d="M0 4H${(mark.match_score * 96).toFixed(0)}" class="bar" /></svg
        ><b>${score}</b>
      </p>
      <p>${isolated(mark.match_details.reasons.join(', '))}</p>
    </div>
  </li> `
}
