import type { Sample } from './part.ts'

export type Growth = 'constant' | 'logarithmic' | 'linear' | 'worse'
export type Curve = {
  readonly name: string
  /** Of the time of one operation, or of the whole build, as a power of the size. */
  readonly exponent: number
  readonly growth: Growth
}

/**
 * From a thousand to a million the logarithm doubles, which a power of 0.1 does as well. The caches of the processor hold
 * ever less of what is looked up, which makes even a hash table twice as slow for each ten times as many entries at first.
 */
const MAX_EXPONENTS: readonly (readonly [Growth, number])[] = [
  ['constant', 0.08],
  ['logarithmic', 0.35],
  ['linear', 1.15],
]
/** The fit leaves out the smallest size: fixed costs, and code that is not compiled yet, are most of its time. */
const MIN_FITTED_SIZE = 10_000

export const growthOf = (exponent: number): Growth => MAX_EXPONENTS.find(([, max]) => exponent <= max)?.[0] ?? 'worse'

/** The slope of log(time) over log(size), by least squares. */
export function fitExponent(points: readonly (readonly [size: number, time: number])[]): number {
  const fitted = points.filter(([size]) => size >= MIN_FITTED_SIZE)
  const used = (fitted.length >= 2 ? fitted : points).map(([size, time]) => [Math.log(size), Math.log(time)] as const)
  const mean = (at: 0 | 1) => used.reduce((sum, point) => sum + point[at], 0) / used.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const covariance = used.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return covariance / used.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

export function curvesOf(samples: readonly Sample[], isFilled: boolean): readonly Curve[] {
  const curve = (name: string, timeOf: (sample: Sample) => number): Curve => {
    const exponent = fitExponent(samples.map((sample) => [sample.size, Math.max(timeOf(sample), 1e-3)]))
    return { name, exponent, growth: growthOf(exponent) }
  }
  const operations = Object.keys(samples[0]!.operations)
  return [
    ...(isFilled ? [] : [curve('build', ({ buildCpuMs }) => buildCpuMs)]),
    ...operations.map((name) => curve(name, (sample) => sample.operations[name]!)),
  ]
}
