import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { detectParking } from '../../src/intel/detection.ts'
import type { ParkingEvidence } from '../../src/intel/parking.ts'

export type ParkingCase = { readonly name: string; readonly parked: boolean; readonly evidence: ParkingEvidence }

/** A case file; missing fields get the values of an ordinary visit. */
const caseFile = z.object({
  host: z.string().min(1),
  parked: z.boolean(),
  html: z.string().optional(),
  firstBody: z.string().optional(),
  finalUrl: z.string().optional(),
  hops: z.array(z.string()).optional(),
  status: z.number().int().optional(),
  title: z.string().optional(),
  text: z.string().optional(),
  hosts: z.array(z.string()).optional(),
  nameservers: z.array(z.string()).optional(),
  addresses: z.array(z.string()).optional(),
})

/** Loads a folder of cases: NAME.json, with the document in NAME.html unless the JSON names other files. */
export async function readParkingCases(folder: string): Promise<ParkingCase[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    names.map(async (name) => {
      const one = caseFile.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))
      const html = await readFile(join(folder, one.html ?? name.replace(/json$/, 'html')), 'utf8')
      const firstBody = one.firstBody === undefined ? html : await readFile(join(folder, one.firstBody), 'utf8')
      const finalUrl = one.finalUrl ?? `https://${one.host}/`
      return {
        name: name.replace(/\.json$/, ''),
        parked: one.parked,
        evidence: {
          host: one.host,
          nameservers: one.nameservers ?? [],
          addresses: one.addresses ?? [],
          capture: {
            finalUrl,
            hops: one.hops ?? [`https://${one.host}/`, finalUrl],
            status: one.status ?? 200,
            firstBody,
            html,
            title: one.title ?? '',
            text: one.text ?? '',
            hosts: one.hosts ?? [],
          },
        },
      }
    }),
  )
}

export type ParkingScore = {
  readonly cases: number
  readonly parked: number
  /** Share of the detected pages that are parked, and share of the parked pages that are detected. */
  readonly precision: number
  readonly recall: number
  /** Mean squared error of the confidence, and its mean distance from the actual share, over ten bins. */
  readonly brier: number
  readonly calibrationError: number
  readonly tenths: readonly {
    readonly from: number
    readonly cases: number
    readonly told: number
    readonly true: number
  }[]
  readonly mistakes: readonly {
    readonly name: string
    readonly parked: boolean
    readonly confidence: number
    readonly signals: readonly string[]
  }[]
}

export function scoreParking(cases: readonly ParkingCase[]): ParkingScore {
  const judged = cases.map((one) => ({ ...one, verdict: detectParking(one.evidence) }))
  const found = judged.filter(({ verdict }) => verdict.parked)
  const right = found.filter(({ parked }) => parked).length
  const parked = cases.filter((one) => one.parked).length
  const tenths = Array.from({ length: 10 }, (_, tenth) => {
    const inside = judged.filter(({ verdict }) => Math.min(9, Math.floor(verdict.confidence * 10)) === tenth)
    const mean = (value: (one: (typeof inside)[number]) => number) =>
      inside.length === 0 ? 0 : inside.reduce((sum, one) => sum + value(one), 0) / inside.length
    return {
      from: tenth / 10,
      cases: inside.length,
      told: mean(({ verdict }) => verdict.confidence),
      true: mean((one) => Number(one.parked)),
    }
  })
  return {
    cases: cases.length,
    parked,
    precision: found.length === 0 ? 1 : right / found.length,
    recall: parked === 0 ? 1 : right / parked,
    brier:
      judged.reduce((sum, one) => sum + (one.verdict.confidence - Number(one.parked)) ** 2, 0) /
      Math.max(1, cases.length),
    calibrationError: tenths.reduce(
      (sum, tenth) => sum + (tenth.cases / Math.max(1, cases.length)) * Math.abs(tenth.told - tenth.true),
      0,
    ),
    tenths,
    mistakes: judged
      .filter((one) => one.verdict.parked !== one.parked)
      .map(({ name, parked, verdict }) => ({ name, parked, confidence: verdict.confidence, signals: verdict.signals })),
  }
}

/** The score as lines of text. */
export function parkingSummary(title: string, score: ParkingScore): string[] {
  const figure = (value: number) => value.toFixed(3)
  return [
    `${title}: ${score.cases} pages, ${score.parked} of them parked`,
    `  precision ${figure(score.precision)}  recall ${figure(score.recall)}  brier ${figure(score.brier)}  calibration error ${figure(score.calibrationError)}`,
    ...score.tenths
      .filter(({ cases }) => cases > 0)
      .map(
        ({ from, cases, told, true: actual }) =>
          `  ${from.toFixed(1)}–${(from + 0.1).toFixed(1)}  told ${told.toFixed(2)}  true ${actual.toFixed(2)}  (${cases})`,
      ),
    ...score.mistakes.map(
      ({ name, parked, confidence, signals }) =>
        `  wrong: ${name} is ${parked ? '' : 'not '}parked, told ${confidence} [${signals.join(', ')}]`,
    ),
  ]
}
