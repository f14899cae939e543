import { type Html, markup } from '../html.ts'
import { card, day, isolated, linkOut, type Part, state, withoutData } from './card.ts'
import { parseClass } from './nice-classes.ts'

type Mark = {
  readonly serial_number: string
  readonly mark_text: string
  readonly status_code: string
  readonly filing_date: string
  readonly owner_name: string
  readonly class_numbers: readonly string[]
  readonly match_score: number
  readonly match_details: { readonly reasons: readonly string[] }
  readonly record_data?: { readonly record_url?: string }
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
  const count = (life: string) => results.filter(({ status_code: code }) => statusOf(code).life === life).length
  return card({
    ...common,
    aside: markup`<b>${count('live')} live</b>, ${count('dead')} dead of ${results.length < total ? `the nearest ${results.length}; ${total} match` : `${total} that match`}`,
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
        ${lifeWord(life)}
        ${description}
      </p>
    </div>
    <div>
      <p>${mark.class_numbers.map((text, at) => classWords(text, at))}</p>
      <p class="q">${isolated(mark.owner_name)}</p>
      <p><small class="q">${filed(mark.filing_date)}${linkOut(mark.record_data?.record_url ?? '', `No. ${mark.serial_number}`)}</small></p>
    </div>
    <div>
      <p class="row">
        <svg class="meter" viewBox="0 0 96 8" role="img" aria-label="Similarity ${score} of 1">
          <path d="M0 7.5H96" class="grid" />
          <path d="M0 4H${(mark.match_score * 96).toFixed(0)}" class="bar" /></svg
        ><b>${score}</b>
      </p>
      <p>${isolated(sentenceOf(mark.match_details.reasons))}</p>
    </div>
  </li> `
}

function lifeWord(life: string): Html {
  if (life === 'live') return state('bad', 'live')
  if (life === 'dead') return markup`<span class="s reserved"><span aria-hidden="true">†</span> dead</span>`
  return state('unknown', 'unclear')
}

function classWords(text: string, at: number): Html {
  const { number, name } = parseClass(text)
  return markup`${at === 0 ? 'Class ' : ', '}<b>${number}</b> ${name}`
}

/** The register has the first day of year 1 where it has no date. */
const filed = (date: string): string => (Date.parse(date) > 0 || date.startsWith('1') ? `filed ${day(date)} · ` : '')

const sentenceOf = (reasons: readonly string[]): string => {
  const text = reasons.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
