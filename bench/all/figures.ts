import { readFileSync, writeFileSync } from 'node:fs'
import type { BenchOutput } from './run-bench.ts'

/** One figure of a bench that is compared with its recorded value. */
export type Figure = {
  readonly name: string
  readonly better: 'higher' | 'lower'
  /** The part of the recorded value by which it may be worse; larger where one short run differs more from another. */
  readonly tolerance: number
  /** Undefined if the bench did not print it. */
  readonly value: number | undefined
}

/** Finds figures in the output of a bench. */
export type Finder = (output: BenchOutput) => readonly Figure[]

export type Recorded = {
  readonly value: number
  readonly tolerance: number
  readonly better: 'higher' | 'lower'
  /** ISO 8601. */
  readonly date: string
  readonly machine: string
}
/** By bench, then by figure. */
export type RecordedFigures = Readonly<Record<string, Readonly<Record<string, Recorded>>>>

export type Comparison = {
  readonly name: string
  readonly recorded: Recorded | undefined
  readonly now: number | undefined
  readonly verdict: 'ok' | 'better' | 'WORSE' | 'new' | 'MISSING'
}

const FILE = new URL('../figures.json', import.meta.url)
/** A difference that is no regression even where a recorded figure is 0. */
const MIN_DIFFERENCE = 0.005

function compare({ name, better, value }: Figure, recorded: Recorded | undefined): Comparison {
  const common = { name, recorded, now: value }
  if (value === undefined) return { ...common, verdict: 'MISSING' }
  if (recorded === undefined) return { ...common, verdict: 'new' }
  const gain = better === 'higher' ? value - recorded.value : recorded.value - value
  const allowed = Math.max(MIN_DIFFERENCE, Math.abs(recorded.value) * recorded.tolerance)
  if (gain < -allowed) return { ...common, verdict: 'WORSE' }
  return { ...common, verdict: gain > allowed ? 'better' : 'ok' }
}

/** All figures of a bench, and those that are recorded but that it no longer prints. */
export function compareAll(
  finders: readonly Finder[],
  output: BenchOutput,
  recorded: Readonly<Record<string, Recorded>>,
): readonly (Comparison & { readonly figure: Figure | undefined })[] {
  const found = finders.flatMap((find) => find(output))
  const names = new Set(found.map(({ name }) => name))
  const lost = Object.keys(recorded).filter((name) => !names.has(name))
  return [
    ...found.map((figure) => ({ ...compare(figure, recorded[figure.name]), figure })),
    ...lost.map((name) => ({
      name,
      recorded: recorded[name],
      now: undefined,
      verdict: 'MISSING' as const,
      figure: undefined,
    })),
  ]
}

export function loadFigures(): RecordedFigures {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as RecordedFigures
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

export const saveFigures = (figures: RecordedFigures): void =>
  writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`)

/** Three digits are more than any figure repeats. */
export const rounded = (value: number): number => Number(value.toPrecision(3))

type Rule = Omit<Figure, 'name' | 'value'>
export const higher = (tolerance: number): Rule => ({ better: 'higher', tolerance })
export const lower = (tolerance: number): Rule => ({ better: 'lower', tolerance })

/** A figure that the bench reports by this name in `ratios` of its JSON output. */
export const ratio =
  (name: string, rule: Rule): Finder =>
  ({ json }) => [{ name, ...rule, value: numberIn(json['ratios'], name) }]

const FIRST_NUMBER = /([−-]?\d[\d,]*(?:\.\d+)?)/

/** A number in what a verdict measured: the first one, or the first group of the pattern. */
export const fromVerdict =
  (name: string, target: RegExp, rule: Rule, pattern = FIRST_NUMBER): Finder =>
  ({ verdicts }) => {
    const measured = verdicts.find((one) => target.test(one.target))?.measured ?? ''
    return [{ name, ...rule, value: parseNumber(pattern.exec(measured)?.[1]) }]
  }

/** One figure for each verdict whose target matches; the groups of the pattern make its name. */
export const fromVerdicts =
  (target: RegExp, rule: Rule, pattern = FIRST_NUMBER): Finder =>
  ({ verdicts }) =>
    verdicts.flatMap((one) => {
      const groups = target.exec(one.target)?.slice(1)
      const value = parseNumber(pattern.exec(one.measured)?.[1])
      return groups && value !== undefined ? [{ name: groups.join(', '), ...rule, value }] : []
    })

/** A figure computed from the JSON output; it is missing if that throws. */
export const fromJson =
  <Json>(name: string, rule: Rule, compute: (json: Json) => number): Finder =>
  ({ json }) => [{ name, ...rule, value: attempt(() => compute(json as Json)) }]

function attempt(compute: () => number): number | undefined {
  try {
    const value = compute()
    return Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}

function numberIn(holder: unknown, name: string): number | undefined {
  const value = typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text.replaceAll(',', '').replace('−', '-'))
  return Number.isFinite(value) ? value : undefined
}
