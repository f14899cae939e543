import { ERRORS } from '../../kernel/errors.ts'
import { inputRows } from './fields.ts'
import type { Guides } from './guides.ts'
import { errorPage, type Reference } from './reference.ts'

/** Something a search can find. */
export type Entry = {
  readonly kind: 'endpoint' | 'error' | 'guide'
  readonly title: string
  readonly about: string
  readonly page: string
  /** Headings of a guide, in lower case. */
  readonly headings?: string
  /** Everything else it is found by, in lower case. */
  readonly text: string
}

export type Search = (query: string) => readonly Entry[]

const MAX_QUERY_LENGTH = 200
const MAX_RESULTS = 40

/** Searches endpoints, error codes and guides. A result contains every word of the query. */
export function createSearch(reference: Reference, guides: Guides): Search {
  const entries: Entry[] = [
    ...reference.entries.map(({ endpoint, page }): Entry => {
      const { method, path, summary, description, name, command = '', capability } = endpoint
      const fields = inputRows(endpoint).map((row) => `${row.name} ${row.description}`)
      return {
        kind: 'endpoint',
        title: `${method} ${path}`,
        about: `${summary}.`,
        page,
        text: [description, name, command, capability.name, ...fields].join(' ').toLowerCase(),
      }
    }),
    ...Object.entries(ERRORS).map(([code, { meaning, status }]): Entry => ({
      kind: 'error',
      title: code,
      about: meaning,
      page: errorPage(code),
      text: `${status} ${code.replaceAll('_', ' ')}`,
    })),
    ...guides.all.map(({ title, page, text }): Entry => ({
      kind: 'guide',
      title,
      about: firstSentence(text),
      page,
      headings: [...text.matchAll(/^##+ (.+)$/gm)]
        .map(([, heading]) => heading)
        .join('\n')
        .toLowerCase(),
      text: text.toLowerCase(),
    })),
  ]
  return (query) => {
    const words = query.slice(0, MAX_QUERY_LENGTH).toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return []
    return entries
      .map((entry) => ({ entry, score: score(entry, words) }))
      .filter(({ score: found }) => found > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MAX_RESULTS)
      .map(({ entry }) => entry)
  }
}

/** 0 if a word is missing. A word in the title counts most, then one in a heading. */
function score({ title, about, headings = '', text, kind }: Entry, words: readonly string[]): number {
  let sum = kind === 'endpoint' ? 1 : 0
  for (const word of words) {
    const found = title.toLowerCase().includes(word)
      ? 10
      : about.toLowerCase().includes(word) || headings.includes(word)
        ? 4
        : text.includes(word)
          ? 1
          : 0
    if (found === 0) return 0
    sum += found
  }
  return sum
}

/** The first paragraph that is a sentence, shortened. */
function firstSentence(text: string): string {
  const paragraph = text
    .replaceAll(/```[\s\S]*?```/g, '')
    .split(/\n{2,}/)
    .find((block) => /^[A-Z`[]/.test(block.trim()))
  const plain = (paragraph ?? '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return /^.{20,}?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain.slice(0, 160)
}
