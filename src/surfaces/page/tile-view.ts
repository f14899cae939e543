import { constant, type Html, markup } from './html.ts'
import { ring } from './shell.ts'

/** Which tiles of a name are shown, and in which order. The address says it. */
export type TileView = { readonly set: string; readonly state: StateName | ''; readonly sort: SortName | '' }

/** In the order in which `sort=state` shows them. */
const STATES = { free: 'free', sale: 'for sale', unknown: 'unknown', reserved: 'reserved', taken: 'taken' } as const
export type StateName = keyof typeof STATES
const SORTS = { state: 'by state', length: 'by length' } as const
type SortName = keyof typeof SORTS

export const stateNames = Object.keys(STATES) as readonly StateName[]
export const wordOfState = (state: StateName): string => STATES[state]

/** Parameters that are not known are ignored. */
export function parseTileView(parameters: URLSearchParams, set: string): TileView {
  const [state, sort] = [parameters.get('state') ?? '', parameters.get('sort') ?? '']
  return {
    set,
    state: Object.hasOwn(STATES, state) ? (state as StateName) : '',
    sort: Object.hasOwn(SORTS, sort) ? (sort as SortName) : '',
  }
}

/** Whether all answers must be known before a tile can have its place. */
export const needsAllAnswers = ({ state, sort }: TileView): boolean => state !== '' || sort === 'state'

export const orderTlds = (tlds: readonly string[], { sort }: TileView): readonly string[] =>
  sort === 'length' ? tlds.toSorted((a, b) => a.length - b.length) : tlds

/** The address of a view; `defaultSet` is left out. */
export function addressOfView(path: string, { set, state, sort }: TileView, defaultSet: string): string {
  const parameters = new URLSearchParams({
    ...(set !== defaultSet && { set }),
    ...(state !== '' && { state }),
    ...(sort !== '' && { sort }),
  })
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

type Choice = { readonly value: string; readonly text: Html | string }

/** Links that filter and order the tiles. They work without a script, and at once with one. */
export function viewLinks(path: string, view: TileView, defaultSet: string): Html {
  const links = (param: 'state' | 'sort', choices: readonly Choice[]): Html[] =>
    choices.map(({ value, text }) => {
      const href = addressOfView(path, { ...view, [param]: value }, defaultSet)
      const current = view[param] === value ? constant(' aria-current="true"') : null
      return markup`<a href="${href}" data-param="${param}" data-value="${value}"${current}>${text}</a> `
    })
  const states = stateNames.map((value) => ({
    value,
    text: markup`<span class="s ${value}">${ring}${STATES[value]}</span>`,
  }))
  const sorts = Object.entries(SORTS).map(([value, text]) => ({ value, text }))
  return markup`<div class="views noprint"><nav class="chips" aria-label="Show">${links('state', [{ value: '', text: 'Every state' }, ...states])}</nav>
<nav class="chips" aria-label="Order">${links('sort', [{ value: '', text: 'Usual order' }, ...sorts])}</nav></div>`
}
