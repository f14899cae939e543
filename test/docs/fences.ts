import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** A fenced block of a page. */
export type Fence = {
  /** Path from the root of the repository. */
  readonly file: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  /** The word after the opening fence; empty if missing. */
  readonly language: string
  /** The lines between, without the indentation of the fence. */
  readonly text: string
}

/** Every page that a newcomer may copy a command from. */
export const pages = (): string[] =>
  globSync(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ARCHITECTURE.md', 'docs/**/*.md'], { cwd: ROOT }).toSorted()

/** Blocks that change the repository; tutorial.test.ts pastes and runs them in a copy. */
export const isTutorial = ({ file, language }: Pick<Fence, 'file' | 'language'>): boolean =>
  file === 'CONTRIBUTING.md' && ['ts', 'bash'].includes(language)

/** Its commands turn payments on; going-live.test.ts runs them, in order and in a folder of their own. */
export const GOING_LIVE = 'docs/going-live.md'

export const fencesOfPages = (): Fence[] =>
  pages().flatMap((file) => parseFences(file, readFileSync(join(ROOT, file), 'utf8')))

export function parseFences(file: string, markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; indent: number; marker: string; language: string; lines: string[] } | undefined
  for (const [at, line] of markdown.split('\n').entries()) {
    const [, indent = '', marker = '', language = ''] = /^( *)(`{3,}|~{3,}) *([^\s`]*)[^`]*$/.exec(line) ?? []
    if (!open) {
      if (marker !== '') open = { line: at + 1, indent: indent.length, marker, language, lines: [] }
    } else if (marker.startsWith(open.marker) && language === '') {
      fences.push({ file, line: open.line, language: open.language, text: open.lines.join('\n') })
      open = undefined
    } else open.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)))
  }
  if (open) throw new Error(`${file}:${open.line}: the fence is never closed.`)
  return fences
}
