import { editDistance } from './edit-distance.ts'
import { isPlural, isHomophone, soundsAlike } from './word-match.ts'

type Query = {
  readonly tokens: readonly string[]
  readonly squash: string
  readonly codes: readonly [string, string]
}
/** A mark and the result of comparing it with the query. */
type ComparedMark = {
  readonly tokens: readonly string[]
  readonly squash: string
  readonly codes: readonly [string, string]
  readonly score: number
  readonly sameSound: boolean
  readonly prefix: boolean
}

/** Why a mark was found, in plain words, the strongest reason first. Empty if the score is 0. */
export function reasonsFor(search: Query, mark: ComparedMark): string[] {
  if (mark.score === 0) return []
  if (search.squash === mark.squash)
    return [sameList(search.tokens, mark.tokens) ? 'same mark' : 'same letters, spaced differently']
  const reasons = [
    ...byOrder(search, mark),
    ...bySpelling(search.squash, mark.squash),
    ...(mark.sameSound ? [`sounds the same: ${commonCode(search.codes, mark.codes)}`] : []),
    ...byWord(search.tokens, mark.tokens),
    ...byContainment(search, mark),
    ...(mark.prefix ? ['begins the same'] : []),
  ]
  if (reasons.length > 0) return reasons
  const shared = search.tokens.filter((token) => mark.tokens.includes(token))
  return [shared.length > 0 ? `shares: ${[...new Set(shared)].join(', ')}` : 'spelled or sounds alike']
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((token, at) => token === b[at])

const byOrder = (search: Query, mark: ComparedMark): string[] =>
  sameList([...search.tokens].sort(), [...mark.tokens].sort()) ? ['same words in another order'] : []

function bySpelling(search: string, mark: string): string[] {
  const distance = editDistance(search, mark)
  if (Math.max(search.length, mark.length) < 3 * distance || distance < 1) return []
  if (distance === 2) return ['two letters differ']
  if (distance > 2) return []
  if (search.length !== mark.length) return [mark.length > search.length ? 'one letter more' : 'one letter less']
  const differing = search.split('').filter((letter, at) => letter !== mark[at]).length
  return [differing === 2 ? 'two letters swapped' : 'one letter differs']
}

const commonCode = (a: readonly string[], b: readonly string[]) => a.find((code) => code !== '' && b.includes(code))!

function byWord(search: readonly string[], mark: readonly string[]): string[] {
  const reasons: string[] = []
  for (const [at, token] of search.entries()) {
    if (mark.includes(token)) continue
    for (const other of mark) {
      if (isPlural(token, other)) reasons.push(`plural: ${token}, ${other}`)
      else if (isHomophone(token, other)) reasons.push(`said the same: ${token}, ${other}`)
      else if (!search.includes(other) && (search.length > 1 || mark.length > 1) && soundsAlike(token, other))
        reasons.push(`sounds the same: ${token}, ${other}`)
    }
    const joined = token + (search[at + 1] ?? '')
    if (joined !== token && mark.includes(joined)) reasons.push(`joined: ${joined}`)
  }
  for (const [at, token] of mark.entries()) {
    const joined = token + (mark[at + 1] ?? '')
    if (joined !== token && search.includes(joined)) reasons.push(`split: ${token} ${mark[at + 1]!}`)
  }
  return [...new Set(reasons)]
}

function byContainment(search: Query, mark: ComparedMark): string[] {
  const searchInMark = search.tokens.every((token) => mark.tokens.includes(token))
  const markInSearch = mark.tokens.every((token) => search.tokens.includes(token))
  if (searchInMark && markInSearch) return []
  if (markInSearch) return ['contains the mark']
  if (searchInMark) return ['contained in the mark']
  if (mark.squash.length >= 4 && search.squash.includes(mark.squash)) return ['contains the letters of the mark']
  if (search.squash.length >= 4 && mark.squash.includes(search.squash)) return ['its letters are contained in the mark']
  return []
}
