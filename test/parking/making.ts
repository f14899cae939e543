import type { ParkingEvidence } from '../../src/intel/parking.ts'

/** A generated page with its label. */
export type Labelled = {
  /** Pages of one family share a template; a family is tuned on or held out as a whole. */
  readonly family: string
  readonly name: string
  readonly parked: boolean
  readonly evidence: ParkingEvidence
}

export type Draft = {
  host: string
  html: string
  /** The HTML before scripts changed it. */
  firstBody?: string
  finalUrl?: string
  hops?: string[]
  status?: number
  hosts?: string[]
  nameservers?: string[]
  addresses?: string[]
}

/** A family of pages that share a template. */
export type Maker = readonly [family: string, drafts: () => Draft[]]

export function evidenceOf(draft: Draft): ParkingEvidence {
  const { host, html } = draft
  const finalUrl = draft.finalUrl ?? `https://${host}/`
  return {
    host,
    nameservers: draft.nameservers ?? [`ns1.hosting-lindqvist.example`, `ns2.hosting-lindqvist.example`],
    addresses: draft.addresses ?? ['203.0.113.10'],
    capture: {
      finalUrl,
      hops: draft.hops ?? (finalUrl === `https://${host}/` ? [`https://${host}/`] : [`https://${host}/`, finalUrl]),
      status: draft.status ?? 200,
      firstBody: draft.firstBody ?? html,
      html,
      title: /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim() ?? '',
      text: visibleText(html),
      hosts: draft.hosts ?? [host],
    },
  }
}

/** Sufficient for generated pages; deliberately not the extraction under test. */
const visibleText = (html: string) =>
  html
    .replace(/<(script|style|noscript|title)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Deterministic random choices, by seed. */
export function chooser(seed: string) {
  let state = 2166136261
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 16777619)
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 24
  }
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!
  return { next, pick, number: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)) }
}

const SUBJECTS = [
  'our workshop',
  'the garden',
  'every visitor',
  'the team',
  'a small bakery',
  'the north wing',
  'our oldest customer',
  'the river path',
  'this recipe',
  'the spring collection',
  'a careful reader',
  'the village choir',
  'our ferry',
  'the glass studio',
  'a retired pilot',
  'the mountain hut',
  'the archive',
  'our newsletter',
  'the bicycle line',
]
const VERBS = [
  'brings',
  'repairs',
  'describes',
  'collects',
  'opens',
  'follows',
  'carries',
  'teaches',
  'paints',
  'remembers',
  'measures',
  'delivers',
]
const OBJECTS = [
  'wooden boats',
  'fresh bread before dawn',
  'letters from the coast',
  'a map of old roads',
  'lessons for beginners',
  'warm blankets',
  'the tools of three generations',
  'songs nobody wrote down',
  'quiet rooms with a view',
  'maths for engineers',
  'the results of the last season',
  'seeds from the monastery',
  'clocks that stopped',
  'notes on the weather',
]
const ENDS = [
  'in the morning',
  'for families',
  'without any hurry',
  'near the harbour',
  'since 1987',
  'on request',
  'all year round',
  'every second Friday',
]

/** Filler text of at least `words` words. */
export function prose(seed: string, words: number): string {
  const choose = chooser(seed)
  const sentences: string[] = []
  for (let count = 0; count < words;) {
    const parts = [choose.pick(SUBJECTS), choose.pick(VERBS), choose.pick(OBJECTS), choose.pick(ENDS)].join(' ')
    sentences.push(`${parts[0]!.toUpperCase()}${parts.slice(1)}.`)
    count += parts.split(' ').length
  }
  return sentences.join(' ')
}

const PLACES = [
  'about',
  'services',
  'team',
  'news',
  'gallery',
  'prices',
  'events',
  'shop',
  'history',
  'visit',
  'jobs',
  'faq',
  'blog',
  'press',
  'archive',
  'courses',
]

export const navigation = (count: number, prefix = '/') =>
  `<nav><ul>${PLACES.slice(0, count)
    .map((place) => `<li><a href="${prefix}${place}">${place[0]!.toUpperCase()}${place.slice(1)}</a></li>`)
    .join('')}</ul></nav>`

/** A minimal HTML document. */
export const document = (title: string, body: string, { lang = 'en', head = '', root = '' } = {}) =>
  `<!DOCTYPE html>\n<html lang="${lang}"${root}>\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n` +
  `<meta name="viewport" content="width=device-width, initial-scale=1">\n${head}\n</head>\n<body>\n${body}\n</body>\n</html>\n`
