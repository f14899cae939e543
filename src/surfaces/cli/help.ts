import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import type { Failure } from '../../kernel/errors.ts'
import { ERRORS, failureCode, failureStatus } from '../../kernel/errors.ts'
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts'
import type { Field } from './fields.ts'
import { COMMON_OPTIONS, fieldsOf } from './fields.ts'
import { toJson } from './formats.ts'
import type { Screen } from './table.ts'
import { padEnd, width, wrap } from './text.ts'

/** A command that is not an endpoint: `serve`, `config`. */
export type OwnCommand = { readonly words: string; readonly summary: string }

const MAX_TERM_COLUMNS = 30
/** Long lines are hard to read, so wide screens and files get shorter ones. */
const MAX_LINE_COLUMNS = 100
const lineWidth = ({ columns }: Screen): number => Math.min(columns, MAX_LINE_COLUMNS)

/** All commands, grouped by capability. */
export function overview(routes: readonly Route[], own: readonly OwnCommand[], screen: Screen): string {
  const groups = new Map<string, [string, string][]>()
  if (own.length > 0)
    groups.set(
      'service',
      own.map(({ words, summary }) => [words, summary]),
    )
  for (const { endpoint } of routes) {
    if (endpoint.command === undefined) continue
    const { name } = endpoint.capability
    groups.set(name, [...(groups.get(name) ?? []), [usageOf(endpoint), endpoint.summary]])
  }
  const codes = Object.values(EXIT_CODES).map(({ code, meaning }): [string, string] => [String(code), meaning])
  return sections(screen, [
    ['', 'Usage: onoma <command> [arguments] [options]'],
    ...[...groups].map(([title, entries]): Section => [title, entries]),
    ['output', Object.entries(COMMON_OPTIONS).map(([option, meaning]): [string, string] => [`--${option}`, meaning])],
    ['exit codes', codes],
    ['', 'Results are a table on a terminal, otherwise JSON. onoma <command> --help shows details and an example.'],
  ])
}

/** The commands that start with the same words: `onoma ens register --help`. */
export const groupHelp = (words: string, endpoints: readonly Endpoint[], screen: Screen): string =>
  sections(screen, [
    ['', `Usage: onoma ${words} <command> [arguments] [options]`],
    ['commands', endpoints.map((endpoint): [string, string] => [usageOf(endpoint), endpoint.summary])],
  ])

/** One command: description, arguments, options, errors, and an example with its result. */
export function commandHelp(endpoint: Endpoint, screen: Screen): string {
  const fields = fieldsOf(endpoint)
  const common = Object.entries(COMMON_OPTIONS).map(([option, meaning]): [string, string] => [`--${option}`, meaning])
  const positionals = fields.filter(({ positional }) => positional)
  return sections(screen, [
    ['', `Usage: onoma ${usageOf(endpoint)} [options]`],
    ['', `${endpoint.summary}.\n${endpoint.description}`],
    [
      'arguments',
      [
        ...positionals.map((field): [string, string] => [`<${field.option}>`, describe(field)]),
        ...optionalArgument(endpoint).map(({ shown, description }): [string, string] => [`[${shown}]`, description]),
      ],
    ],
    ['options', [...fields.map((field): [string, string] => [optionOf(field), describe(field)]), ...common]],
    ['errors', endpoint.errors.map(explainFailure)],
    [
      'example',
      `$ onoma ${exampleCommand(endpoint)} --json\n${toJson(endpoint.example.output, 2).trimEnd()}`,
      'verbatim',
    ],
  ])
}

const usageOf = (endpoint: Endpoint): string => {
  const positionals = fieldsOf(endpoint).filter(({ positional }) => positional)
  return [
    endpoint.command,
    ...positionals.map(({ option }) => `<${option}>`),
    ...optionalArgument(endpoint).map(({ shown }) => `[${shown}]`),
  ].join(' ')
}

const optionalArgument = ({ argument }: Endpoint) => (argument ? [argument] : [])

const optionOf = ({ option, kind }: Field): string =>
  kind === 'boolean' ? `--[no-]${option}` : `--${option} <${kind}>`

function describe({ description, values, default: preset }: Field): string {
  const sentence = description === '' || /[.!?]$/.test(description) ? description : `${description}.`
  const choice = values.length > 0 ? `One of ${values.map(String).join(', ')}.` : ''
  const otherwise =
    preset === undefined ? '' : `Default: ${typeof preset === 'string' ? preset : JSON.stringify(preset)}.`
  return [sentence, choice, otherwise].filter(Boolean).join(' ')
}

const explainFailure = (failure: Failure): [string, string] => {
  const code = failureCode(failure)
  return [code, `${ERRORS[code].meaning} Exit code ${exitCodeOf(failureStatus(failure))}.`]
}

/** The example's input as a command line, without the name of the program. */
export function exampleCommand(endpoint: Endpoint): string {
  const { command, argument, example } = endpoint
  const input = example.input as Readonly<Record<string, unknown>>
  const words = fieldsOf(endpoint).flatMap(({ name, option, kind, positional }) => {
    const value = input[name]
    if (value === undefined) return []
    if (kind === 'boolean') return [value === true ? `--${option}` : `--no-${option}`]
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return positional || argument?.field(text) === name ? [shellWord(text)] : [`--${option}`, shellWord(text)]
  })
  return [command, ...words].join(' ')
}

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A heading (may be empty) over a text or a list of terms. Empty sections are left out. */
type Section = readonly [title: string, content: string | readonly (readonly [string, string])[], verbatim?: 'verbatim']

function sections(screen: Screen, all: readonly Section[]): string {
  const columns = lineWidth(screen)
  const terms = all.flatMap(([, content]) => (typeof content === 'string' ? [] : content.map(([term]) => width(term))))
  // One left column for the whole page; a longer term gets its own line.
  const left = Math.max(0, ...terms.filter((columns) => columns <= MAX_TERM_COLUMNS))
  const parts = all.flatMap(([title, content, verbatim]) => {
    if (content.length === 0) return []
    const indent = title === '' ? '' : '  '
    const lines =
      typeof content === 'string'
        ? verbatim
          ? content.split('\n')
          : wrap(content, columns)
        : content.flatMap(([term, text]) => termLines(term, text, left, columns - indent.length))
    const heading = title === '' ? [] : [screen.style('bold', title.toUpperCase())]
    return [[...heading, ...lines.map((line) => (line === '' ? '' : indent + line))].join('\n')]
  })
  return `${parts.join('\n\n')}\n`
}

function termLines(term: string, text: string, left: number, columns: number): string[] {
  const margin = ' '.repeat(left + 2)
  const lines = wrap(text, Math.max(20, columns - left - 2))
  if (width(term) > left) return [term, ...lines.map((line) => margin + line)]
  return lines
    .map((line, at) => (at === 0 ? `${padEnd(term, left)}  ${line}` : margin + line))
    .map((line) => line.trimEnd())
}
