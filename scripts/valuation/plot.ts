import type { CalibrationBin } from './metrics.ts'
import type { BothMetrics } from './report.ts'

const SIDE = 420
const MARGIN = 56
const COLOURS = { known: '#1f6feb', open: '#d1690e' }

const x = (share: number) => round(MARGIN + share * SIDE)
const y = (share: number) => round(MARGIN + (1 - share) * SIDE)
const round = (number: number) => Math.round(number * 10) / 10

/** What confidence said against what happened: on the diagonal it kept its word. Bigger dots speak for more sales. */
export function calibrationPlot({ known, open }: BothMetrics, title: string): string {
  const size = SIDE + MARGIN * 2
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">`,
    `<rect width="${size}" height="${size}" fill="#fff"/>`,
    `<text x="${MARGIN}" y="28" font-size="14">${title}</text>`,
    `<path d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}" fill="none" stroke="#555"/>`,
    `<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#999" stroke-dasharray="4 4"/>`,
    ...ticks.flatMap((tick) => [
      `<text x="${x(tick)}" y="${y(0) + 18}" text-anchor="middle">${tick}</text>`,
      `<text x="${x(0) - 8}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
    ]),
    `<text x="${x(0.5)}" y="${y(0) + 38}" text-anchor="middle">confidence said</text>`,
    `<text x="16" y="${y(0.5)}" text-anchor="middle" transform="rotate(-90 16 ${y(0.5)})">share of sales within half and twice mid</text>`,
    ...series(known.bins, COLOURS.known),
    ...series(open.bins, COLOURS.open),
    ...legend(COLOURS.known, 'context of the sale known', 0),
    ...legend(COLOURS.open, 'name alone (the API)', 1),
    '</svg>',
    '',
  ].join('\n')
}

/** Bins that hold almost nothing say almost nothing. */
const FEWEST = 15

function series(bins: readonly CalibrationBin[], colour: string): string[] {
  const shown = bins.filter(({ count }) => count >= FEWEST)
  const most = Math.max(1, ...shown.map(({ count }) => count))
  const line = shown.map(({ said, happened }, at) => `${at === 0 ? 'M' : 'L'}${x(said)} ${y(happened)}`).join('')
  return [
    `<path d="${line}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ...shown.map(
      ({ said, happened, count }) =>
        `<circle cx="${x(said)}" cy="${y(happened)}" r="${round(3 + 6 * Math.sqrt(count / most))}" fill="${colour}" fill-opacity="0.7"><title>${count} sales: said ${said.toFixed(2)}, happened ${happened.toFixed(2)}</title></circle>`,
    ),
  ]
}

const legend = (colour: string, text: string, line: number) => [
  `<circle cx="${x(0.05)}" cy="${y(0.97) + line * 20}" r="5" fill="${colour}"/>`,
  `<text x="${x(0.05) + 12}" y="${y(0.97) + line * 20 + 4}">${text}</text>`,
]
