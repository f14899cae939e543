import { inspect } from 'node:util'
import * as z from 'zod'
import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import { ERRORS } from '../../kernel/errors.ts'
import { asApiError } from '../../kernel/error-response.ts'
import { parseInput } from '../../kernel/input.ts'
import type { Arguments } from './arguments.ts'
import { quote, parseArguments, UsageError } from './arguments.ts'
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts'
import { toJson } from './formats.ts'
import type { OwnCommand } from './help.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { unlimited } from '../../kernel/rate-limit.ts'
import { closestMatch } from '../../kernel/closest-match.ts'
import type { Io } from './output.ts'
import { formatResult, screenOf } from './output.ts'
import { neutralise } from './text.ts'

/**
 * Runs `onoma <argv>` for commands that are endpoints and returns the exit code. `own` are commands handled by the
 * caller; they are only listed in the help and suggested.
 */
export async function runCommand(
  routes: readonly Route[],
  argv: readonly string[],
  io: Io,
  own: readonly OwnCommand[] = [],
): Promise<number> {
  const screen = screenOf(io.stdout, io.env, !argv.includes('--no-color'))
  const { words, rest } = splitWords(argv)
  const wantsHelp = rest.includes('--help') || rest.includes('-h')
  if (words.length === 0 && wantsHelp) {
    io.stdout.write(overview(routes, own, screen))
    return EXIT_CODES.ok.code
  }
  const found = findCommand(routes, words)
  if (found) return runEndpoint(found.route, [...found.rest, ...rest], io)

  const group = routes
    .map(({ endpoint }) => endpoint)
    .filter(({ command }) => command?.startsWith(`${words.join(' ')} `))
  if (group.length > 0) {
    const output = wantsHelp ? io.stdout : io.stderr
    output.write(groupHelp(words.join(' '), group, screenOf(output, io.env, !argv.includes('--no-color'))))
    return wantsHelp ? EXIT_CODES.ok.code : EXIT_CODES.invalid.code
  }
  io.stderr.write(`${unknownCommand(words, routes, own)}\n`)
  return EXIT_CODES.invalid.code
}

/** Splits off the leading words: the command and its first arguments. Options may precede them. */
function splitWords(argv: readonly string[]): { words: string[]; rest: string[] } {
  const isOption = (text: string) => text.startsWith('-')
  const start = argv.findIndex((text) => !isOption(text))
  if (start === -1) return { words: [], rest: [...argv] }
  const length = argv.slice(start).findIndex(isOption)
  const end = length === -1 ? argv.length : start + length
  return { words: argv.slice(start, end), rest: [...argv.slice(0, start), ...argv.slice(end)] }
}

/** The command with the most words that the command line starts with. */
function findCommand(routes: readonly Route[], words: readonly string[]): { route: Route; rest: string[] } | undefined {
  for (let length = words.length; length > 0; length--) {
    const command = words.slice(0, length).join(' ')
    const route = routes.find(({ endpoint }) => endpoint.command === command)
    if (route) return { route, rest: words.slice(length) }
  }
  return undefined
}

function unknownCommand(words: readonly string[], routes: readonly Route[], own: readonly OwnCommand[]): string {
  if (words.length === 0) return 'No command was given; onoma --help lists them.'
  const commands = [...routes.flatMap(({ endpoint }) => endpoint.command ?? []), ...own.map((command) => command.words)]
  // Try every prefix: the typo may be in any word, and arguments may follow the command.
  const guesses = words.map((_, at) => closestMatch(words.slice(0, at + 1).join(' '), commands))
  const guess = guesses.findLast((one) => one !== undefined)
  const hint = guess === undefined ? 'onoma --help lists the commands.' : `did you mean onoma ${guess}?`
  return `There is no command ${quote(words.join(' '))}; ${hint}`
}

async function runEndpoint({ endpoint, run, wrap }: Route, argv: readonly string[], io: Io): Promise<number> {
  let given: Arguments | undefined
  try {
    given = parseArguments(endpoint, argv)
    if (given.help) {
      io.stdout.write(commandHelp(endpoint, screenOf(io.stdout, io.env, given.color)))
      return EXIT_CODES.ok.code
    }
    const input = parseInput(endpoint, given.raw)
    const body = await untilAborted(
      run(input, { signal: io.signal, requestId: 'cli', client: 'cli', spend: unlimited }),
      io.signal,
    )
    const rows = wrap?.rows?.(body)
    io.stdout.write(formatResult(body, rows ? z.looseObject({}) : endpoint.output, given, io, rows))
    if (wrap?.inconclusive?.(body) === true) {
      io.stderr.write('No result could be determined; try again.\n')
      return EXIT_CODES.failed.code
    }
    return exitCodeOf(wrap?.status?.(body) ?? 200)
  } catch (error) {
    if (io.signal.aborted) return EXIT_CODES.interrupted.code
    return reportError(error, endpoint, given ?? { format: argv.includes('--json') ? 'json' : undefined }, io)
  }
}

/** Rejects on abort even if the handler ignores the signal. */
function untilAborted<Value>(work: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

function reportError(error: unknown, endpoint: Endpoint, { format }: Pick<Arguments, 'format'>, io: Io): number {
  const asJson = format === 'json' || format === 'ndjson'
  if (error instanceof UsageError) {
    const body = { error: 'invalid_request', message: error.message }
    const sentence = `${error.message} See onoma ${endpoint.command} --help.\n`
    io.stderr.write(asJson ? toJson(body, 0) : sentence)
    return EXIT_CODES.invalid.code
  }
  const { code, status, message, extra } = asApiError(error, endpoint, BROKEN)
  io.stderr.write(asJson ? toJson({ ...extra, error: code, message }, 0) : `${neutralise(message)}\n`)
  if (isVerbose(io.env)) io.stderr.write(`${inspect(error).split('\n').map(neutralise).join('\n')}\n`)
  return exitCodeOf(status)
}

/** The cause is printed only with ONOMA_LOG_LEVEL=debug. */
const BROKEN = `${ERRORS.internal_error.meaning} ONOMA_LOG_LEVEL=debug shows what.`

const isVerbose = (env: Io['env']): boolean => /^(debug|trace)$/i.test(env['ONOMA_LOG_LEVEL']?.trim() ?? '')
