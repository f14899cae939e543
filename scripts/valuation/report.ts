import type { Metrics } from './evaluation.ts'

export type BothMetrics = { readonly open: Metrics; readonly known: Metrics }

type Line = {
  readonly of: string
  readonly known: (metrics: Metrics) => string
  readonly target: {
    readonly known?: (metrics: Metrics) => boolean
    readonly open?: (metrics: Metrics) => boolean
    readonly text: string
  }
}

const share = (value: number) => value.toFixed(3)
const calibrated = (metrics: Metrics) => metrics.calibrationError <= 0.05
const sureIsRight = ({ sure }: Metrics) => sure.count === 0 || sure.right >= 0.7
const covers = ({ bandCoverage }: Metrics) => Math.abs(bandCoverage - 0.6) <= 0.05

const LINES: readonly Line[] = [
  {
    of: 'rank score',
    known: ({ rankScore }) => share(rankScore),
    target: {
      known: ({ rankScore }) => rankScore >= 0.76,
      open: ({ rankScore }) => rankScore >= 0.64,
      text: '≥ 0.76 / ≥ 0.64',
    },
  },
  {
    of: 'median factor',
    known: ({ medianFactor }) => medianFactor.toFixed(2),
    target: { known: ({ medianFactor }) => medianFactor <= 1.8, text: '≤ 1.8 / none' },
  },
  { of: 'within half and twice', known: ({ withinTwo }) => share(withinTwo), target: { text: 'none' } },
  {
    of: 'calibration error of confidence',
    known: ({ calibrationError }) => share(calibrationError),
    target: { known: calibrated, open: calibrated, text: '≤ 0.05' },
  },
  {
    of: 'right when confidence > 0.7',
    known: ({ sure }) => (sure.count === 0 ? 'none said' : `${share(sure.right)} of ${sure.count}`),
    target: { known: sureIsRight, open: sureIsRight, text: '≥ 0.7' },
  },
  {
    of: 'sales inside [low, high]',
    known: ({ bandCoverage }) => share(bandCoverage),
    target: { known: covers, open: covers, text: '0.55 to 0.65' },
  },
  { of: 'median high ÷ low', known: ({ bandWidth }) => bandWidth.toFixed(1), target: { text: 'none' } },
]

/** A Markdown table of both models, with and without context. */
export function report({ open, known }: BothMetrics): string[] {
  const cell = (text: string, met: boolean | undefined) => (met === undefined ? text : `${text} ${met ? '✓' : '✗'}`)
  return [
    `| ${known.rows} sales | context known | name alone (the API) | target |`,
    '|---|---|---|---|',
    ...LINES.map(
      ({ of, known: show, target }) =>
        `| ${of} | ${cell(show(known), target.known?.(known))} | ${cell(show(open), target.open?.(open))} | ${target.text} |`,
    ),
  ]
}

/** A Markdown table of confidence and actual share. */
export function calibrationTable({ open, known }: BothMetrics): string[] {
  const cells = ({ bins }: Metrics, at: number) => {
    const { count, said, happened } = bins[at]!
    return count === 0 ? '– | – | 0' : `${share(said)} | ${share(happened)} | ${count}`
  }
  return [
    '| confidence | known: said | came true | n | alone: said | came true | n |',
    '|---|---|---|---|---|---|---|',
    ...known.bins.map(({ from, to }, at) => `| ${from}–${to} | ${cells(known, at)} | ${cells(open, at)} |`),
  ]
}
