import type { Fence } from './fences.ts'

/** A command of a page, as a reader would copy it. */
export type Command = {
  readonly text: string
  /** `export` and `cd` lines before it in the same block, which apply to it. */
  readonly setup: readonly string[]
  /** The output that the page shows below it, if any. */
  readonly shown?: string
  /** 0, unless the comment after the command says `exits with N`. */
  readonly exitCode: number
}

const LANGUAGES = new Set(['sh', 'bash', 'console', 'crontab'])

export const holdsCommands = ({ language }: Pick<Fence, 'language'>): boolean => LANGUAGES.has(language)

/** The commands of a block, in order. `a && b` is two commands. */
export function parseCommands({ language, text }: Pick<Fence, 'language' | 'text'>): Command[] {
  const setup: string[] = []
  return entriesOf(language, text).flatMap(({ line, shown }) => {
    const { parts, comment } = splitCommandLine(language === 'crontab' ? line.replace(/^(\S+\s+){5}/, '') : line)
    const commands = parts.filter((part) => !/^(export|cd)\s/.test(part))
    const exitCode = Number(/exits with (\d+)/.exec(comment)?.[1] ?? 0)
    return parts.flatMap((part): Command[] => {
      if (!commands.includes(part)) {
        setup.push(part)
        return []
      }
      const isLast = part === commands.at(-1)
      return [
        { text: part, setup: [...setup], exitCode: isLast ? exitCode : 0, ...(isLast && shown !== '' && { shown }) },
      ]
    })
  })
}

type Entry = { line: string; shown: string }

/** Complete command lines: quotes closed, here-documents and continuations included. */
function entriesOf(language: string, text: string): Entry[] {
  const entries: Entry[] = []
  let begun: string | undefined
  for (const line of text.split('\n')) {
    if (begun === undefined && language === 'console' && !line.startsWith('$ ')) {
      const last = entries.at(-1)
      if (last) last.shown += last.shown === '' ? line : `\n${line}`
      continue
    }
    const next = language === 'console' && begun === undefined ? line.slice(2) : line
    begun = begun === undefined ? next : `${begun}\n${next}`
    if (!isWhole(begun)) continue
    if (begun.trim() !== '') entries.push({ line: begun, shown: '' })
    begun = undefined
  }
  if (begun !== undefined) throw new Error(`The command is incomplete: ${begun}`)
  return entries
}

function isWhole(text: string): boolean {
  if (text.endsWith('\\')) return false
  const end = HERE_DOCUMENT.exec(text)?.[1]
  return end === undefined ? scan(text).closed : text.split('\n').at(-1)?.trim() === end
}

const HERE_DOCUMENT = /<<-?\s*['"]?(\w+)['"]?/

/** The commands joined by `&&` in one line, and the comment after them. A here-document is not split. */
export function splitCommandLine(line: string): { parts: string[]; comment: string } {
  if (HERE_DOCUMENT.test(line)) return { parts: [line.trim()], comment: '' }
  const { cuts, commentAt } = scan(line)
  const code = line.slice(0, commentAt)
  const bounds = [-2, ...cuts, code.length]
  const parts = bounds.slice(1).map((end, at) => code.slice(bounds[at]! + 2, end).trim())
  return { parts: parts.filter((part) => part !== ''), comment: line.slice(commentAt) }
}

/** Offsets of `&&` and the comment outside quotes, and whether all quotes are closed. */
function scan(line: string): { cuts: number[]; commentAt: number; closed: boolean } {
  const cuts: number[] = []
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!
    if (sign === '\\' && quote !== "'") at++
    else if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === "'" || sign === '"') quote = sign
    else if (sign === '#' && /^$|\s/.test(line[at - 1] ?? '')) return { cuts, commentAt: at, closed: true }
    else if (line.startsWith('&&', at)) cuts.push(at++)
  }
  return { cuts, commentAt: line.length, closed: quote === '' }
}
