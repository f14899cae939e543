import type { CalibrationBin } from './metrics.ts'
import type { BothMetrics } from './report.ts'

const SIDE_PX = 420
const MARGIN_PX = 56
const COLOURS = { known: '#1f6feb', open: '#d1690e' }

const x = (share: number) => round(MARGIN_PX + share * SIDE_PX)
const y = (share: number) => round(MARGIN_PX + (1 - share) * SIDE_PX)
const round = (number: number) => Math.round(number * 10) / 10

/** A calibration plot: confidence against the actual share. On the diagonal both are equal; larger dots mean more sales. */
export function calibrationPlot({ known, open }: BothMetrics, title: string): string {
  const size = SIDE_PX + MARGIN_PX * 2
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">`,
    `<rect width="${size}" height="${size}" fill="#fff"/>`,
    `<text x="${MARGIN_PX}" y="28" font-size="14">${title}</text>`,
    `<path d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}" fill="none" stroke="#555"/>`,
    `<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#999" stroke-dasharray="4 4"/>`,
    ...ticks.flatMap((tick) => [
      `<text x="${x(tick)}" y="${y(0) + 18}" text-anchor="middle">${tick}</text>`,
      `<text x="${x(0) - 8}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
    ]),
    `<text x="${x(0.5)}" y="${y(0) + 38}" text-anchor="middle">confidence</text>`,
    `<text x="16" y="${y(0.5)}" text-anchor="middle" transform="rotate(-90 16 ${y(0.5)})">share of sales within half and twice mid</text>`,
    ...series(known.bins, COLOURS.known),
    ...series(open.bins, COLOURS.open),
    ...legend(COLOURS.known, 'context of the sale known', 0),
    ...legend(COLOURS.open, 'name alone (the API)', 1),
    '</svg>',
    '',
  ].join('\n')
}

/** Smaller bins are not drawn. */
const MIN_BIN_SALES = 15

function series(bins: readonly CalibrationBin[], colour: string): string[] {
  const shown = bins.filter(({ count }) => count >= MIN_BIN_SALES)
  const maxCount = Math.max(1, ...shown.map(({ count }) => count))
  const line = shown.map(({ said, happened }, at) => `${at === 0 ? 'M' : 'L'}${x(said)} ${y(happened)}`).join('')
  return [
    `<path d="${line}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ...shown.map(
      ({ said, happened, count }) =>
        `<circle cx="${x(said)}" cy="${y(happened)}" r="${round(3 + 6 * Math.sqrt(count / maxCount))}" fill="${colour}" fill-opacity="0.7"><title>${count} sales: confidence ${said.toFixed(2)}, actual ${happened.toFixed(2)}</title></circle>`,
    ),
  ]
}

const legend = (colour: string, text: string, line: number) => [
  `<circle cx="${x(0.05)}" cy="${y(0.97) + line * 20}" r="5" fill="${colour}"/>`,
  `<text x="${x(0.05) + 12}" y="${y(0.97) + line * 20 + 4}">${text}</text>`,
]
