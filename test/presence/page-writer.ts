import type { Page } from '../../sandbox/engine-shapes.ts'
import type { Random } from '../../src/kernel/random.ts'
import type { Labelled } from './names.ts'
import { type Tongue, TONGUES } from './tongues.ts'

export const NEWSPAPERS = [
  'ellery-post.example',
  'northern-ledger.example',
  'daily-quay.example',
  'coastwire.example',
  'marktblatt.example',
]
export const FORUMS = ['talkshed.example', 'fleaforum.example', 'oldboards.example', 'regatta-lists.example']
export const BLOGS = [
  'kitchen-notes.example',
  'slowtrails.example',
  'the-porch.example',
  'homecraft.example',
  'valleyblog.example',
  'teatimes.example',
  'fieldnotes.example',
]

/** Writes result pages about one name, with the random choices of one generator. */
export type PageWriter = {
  readonly name: string
  readonly tongue: Tongue
  readonly phrases: (typeof TONGUES)[Tongue]
  /** The name in a host name. */
  readonly slug: string
  /** The name in a path, with hyphens between words. */
  readonly dashed: string
  readonly random: Random
  pick<T>(all: readonly T[]): T
  /** A random phrase with the name in place of `{}`. */
  say(all: readonly string[]): string
  page(host: string, path: string, title: string, snippet: string): Page
  /** A random number of four digits. */
  number(): number
}

export function createPageWriter({ name, tongue, roman }: Labelled, random: Random): PageWriter {
  const slug =
    roman ??
    name
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]+/g, '')
      .toLowerCase()
  const dashed = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)]!
  return {
    name,
    tongue,
    phrases: TONGUES[tongue],
    slug,
    dashed,
    random,
    pick,
    say: (all) => pick(all).replaceAll('{}', name),
    page: (host, path, title, snippet) => ({ title, url: `https://${host}/${path}`, snippet }),
    number: () => 1000 + random.below(9000),
  }
}

/** Writes one page. */
export type WritePage = (writer: PageWriter) => Page
