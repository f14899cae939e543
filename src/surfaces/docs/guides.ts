import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { renderMarkdown, type RenderedMarkdown, type ResolveCode } from './markdown.ts'

export type Guide = {
  /** Path below the folder, without the extension: `payments`, `adr/0001-…`. */
  readonly name: string
  readonly title: string
  /** Path of its page. */
  readonly page: string
  readonly text: string
  render(): RenderedMarkdown
}

/** Guides under one heading of the index. */
export type GuideSection = {
  readonly title: string
  readonly guides: readonly { readonly guide: Guide; readonly about: string }[]
}

export type Guides = {
  /** The list of all guides; undefined if the service was installed without them. */
  readonly index: Guide | undefined
  readonly all: readonly Guide[]
  readonly sections: readonly GuideSection[]
  find(name: string): Guide | undefined
  /** A drawing that a guide shows. */
  findPicture(name: string): Buffer | undefined
}

const FOLDER = new URL('../../../docs/', import.meta.url)
const PREFIX = '/docs/guides'
const INDEX = 'README'
/** The service in the examples of the guides. */
const EXAMPLE_URL = 'http://127.0.0.1:8080'

type GuideOptions = {
  readonly resolveCode: (guide: string) => ResolveCode
  readonly baseUrl: string
  /** The folder of the repository by default. */
  readonly folder?: URL | undefined
}

/** Loads the guides, which are Markdown files. Without the folder there are none. */
export function loadGuides({ resolveCode, baseUrl, folder = FOLDER }: GuideOptions): Guides {
  const files = filesIn(folder)
  const names = new Set(files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length)))
  const pictures = new Set(files.filter((file) => file.endsWith('.svg')))
  const pageOf = (name: string): string => (name === INDEX ? PREFIX : `${PREFIX}/${name}`)

  const fileOf = (guide: string, path: string): string =>
    path === '' ? `${guide}.md` : posix.join(posix.dirname(guide), path)
  const linkFrom = (guide: string) => (target: string) => {
    if (/^https?:/.test(target)) return target
    const [path = '', fragment] = target.split('#')
    const file = fileOf(guide, path)
    const anchor = fragment === undefined ? '' : `#${fragment}`
    if (pictures.has(file)) return `${PREFIX}/${file}`
    const name = file.replace(/\.md$/, '')
    return names.has(name) ? pageOf(name) + anchor : null
  }

  const titleFrom = (guide: string) => (target: string) =>
    guides.get(fileOf(guide, target.split('#')[0]!).replace(/\.md$/, ''))?.title

  const load = (name: string): Guide => {
    const text = withBaseUrl(readFileSync(new URL(`${name}.md`, folder), 'utf8'), baseUrl)
    let rendered: RenderedMarkdown | undefined
    return {
      name,
      title: /^# (.+)$/m.exec(text)?.[1] ?? name,
      page: pageOf(name),
      text,
      render: () =>
        (rendered ??= renderMarkdown(text, {
          resolveLink: linkFrom(name),
          resolveCode: resolveCode(name),
          titleOf: titleFrom(name),
        })),
    }
  }

  const guides = new Map([...names].toSorted().map((name) => [name, load(name)]))
  const index = guides.get(INDEX)
  return {
    index,
    all: [...guides.values()].filter((guide) => guide !== index),
    sections: index ? sectionsOf(index, guides) : [],
    find: (name) => (name === INDEX ? undefined : guides.get(name)),
    findPicture: (name) => (pictures.has(name) ? readFileSync(new URL(name, folder)) : undefined),
  }
}

/** Commands and MCP entries of the guides name the service that shows them, so that a reader can use them as they are. */
const withBaseUrl = (text: string, baseUrl: string): string =>
  text
    .replaceAll(/^.*\bcurl .*$/gm, (line) => line.replaceAll(EXAMPLE_URL, baseUrl))
    .replaceAll(`${EXAMPLE_URL}/mcp`, `${baseUrl}/mcp`)

function filesIn(folder: URL): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The headings of the index and the rows of their tables: `| [Title](file.md) | what it answers |`. */
function sectionsOf({ text }: Guide, guides: ReadonlyMap<string, Guide>): GuideSection[] {
  return text.split(/^## /m).flatMap((section) => {
    const title = section.slice(0, section.indexOf('\n'))
    const rows = [...section.matchAll(/^\| \[[^\]]+\]\(([^)#]+)\.md\) \| (.+) \|$/gm)]
    const listed = rows.flatMap(([, name, about]) => {
      const guide = guides.get(name!)
      return guide ? [{ guide, about: about! }] : []
    })
    return listed.length === 0 ? [] : [{ title, guides: listed }]
  })
}
