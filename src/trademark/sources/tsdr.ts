import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { CaseStatus, RecordSystem } from '../record-system.ts'
import { statusOf } from '../statuses.ts'

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  /** With the placeholder `{serial}`. */
  readonly url: string
  readonly key: string | null
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
const MAX_EVENTS = 5
const MAX_TEXT_LENGTH = 1_000

const text = z.string().nullish().catch(null)
const number = z.union([z.string(), z.int()]).nullish().catch(null)
const owner = z.object({ name: text }).catch({ name: null })
const event = z
  .object({ entryNumber: z.number().catch(0), entryDate: text, entryDesc: text })
  .catch({ entryNumber: 0, entryDate: null, entryDesc: null })
const nothing = {}

/** Only the serial number is required. Any other field that is invalid counts as missing. */
const caseSchema = z.object({
  status: z.object({
    serialNumber: z.union([z.string(), z.int()]),
    status: number,
    extStatusDesc: text,
    tm5StatusDesc: text,
    statusDate: text,
    correspondence: z.object({ attorneyName: text }).nullish().catch(null),
  }),
  parties: z
    .object({ ownerGroups: z.record(z.string(), z.array(owner).catch([])).nullish().catch(nothing) })
    .nullish()
    .catch(null),
  gsList: z
    .array(
      z
        .object({
          internationalClasses: z
            .array(z.object({ code: number }).catch(nothing))
            .nullish()
            .catch([]),
        })
        .catch(nothing),
    )
    .nullish()
    .catch(null),
  prosecutionHistory: z.array(event).nullish().catch(null),
})
type Case = z.infer<typeof caseSchema>

const answerSchema = z.object({ trademarks: z.tuple([caseSchema], z.unknown()) })

/** The Office's record system (TSDR). Redirects are not followed. */
export const tsdrRecords = ({ upstream, url, key }: Needs): RecordSystem => ({
  async lookUp(serial, signal) {
    const reply = await upstream.request({
      url: url.replaceAll('{serial}', encodeURIComponent(serial)),
      headers: { accept: 'application/json', ...(key !== null && { 'USPTO-API-KEY': key }) },
      accept: [200, 204, 404],
      maxBytes: MAX_RESPONSE_BYTES,
      signal,
    })
    if (reply.status !== 200) return null
    const parsed = answerSchema.safeParse(reply.json())
    if (!parsed.success) {
      throw new UpstreamError('unavailable', 'the record system did not send a record', { cause: parsed.error })
    }
    const [found] = parsed.data.trademarks
    if (String(found.status.serialNumber).padStart(8, '0') !== serial) {
      throw new UpstreamError('unavailable', 'the record system sent another record')
    }
    return statusIn(found)
  },
})

function statusIn({ status, parties, gsList, prosecutionHistory }: Case): CaseStatus {
  const code = status.status == null ? '' : String(status.status).padStart(3, '0')
  const events = (prosecutionHistory ?? [])
    .map(({ entryNumber, entryDate, entryDesc }) => ({ entryNumber, day: dayIn(entryDate), words: clean(entryDesc) }))
    .filter(({ day, words }) => day !== null && words !== null)
    .toSorted((a, b) => (a.day === b.day ? b.entryNumber - a.entryNumber : a.day! < b.day! ? 1 : -1))
  const days = [dayIn(status.statusDate), events[0]?.day ?? null].filter((day) => day !== null)
  return {
    status: clean(status.extStatusDesc) ?? (code === '' ? null : statusOf(code).description),
    isLive: lifeOf(status.tm5StatusDesc, code),
    owner: ownerIn(parties?.ownerGroups),
    attorney: status.correspondence?.attorneyName == null ? null : (clean(status.correspondence.attorneyName) ?? ''),
    touched: days.toSorted().at(-1) ?? null,
    history: events.slice(0, MAX_EVENTS).map(({ day, words }) => `${day} ${words}`),
    classes: classesIn(gsList),
  }
}

/** `LIVE/REGISTRATION/Issued and Active`, or by the status code if that text is missing. */
function lifeOf(descriptor: string | null | undefined, code: string): boolean | null {
  const [, word] = /^\s*(live|dead)\b/i.exec(descriptor ?? '') ?? []
  if (word !== undefined) return word.toLowerCase() === 'live'
  const { life } = statusOf(code)
  return life === 'indifferent' ? null : life === 'live'
}

/** Groups are keyed by party type, as in the files: the highest is the latest. */
function ownerIn(groups: Readonly<Record<string, readonly { name?: string | null | undefined }[]>> | null | undefined) {
  const latest = Object.entries(groups ?? {})
    .toSorted(([a], [b]) => Number(b) - Number(a))
    .flatMap(([, owners]) => owners)
  return latest.map(({ name }) => clean(name)).find((name) => name !== null) ?? null
}

function classesIn(list: Case['gsList']): string[] {
  const codes = (list ?? []).flatMap(({ internationalClasses }) => internationalClasses ?? [])
  const named = codes.map(({ code }) =>
    String(code ?? '')
      .trim()
      .toUpperCase(),
  )
  const known = named.filter((code) => /^(?:\d{1,3}|A|B)$/.test(code))
  return [...new Set(known.map((code) => (/^\d/.test(code) ? code.padStart(3, '0') : code)))].toSorted()
}

const dayIn = (value: string | null | undefined): string | null => /^\d{4}-\d\d-\d\d/.exec(value ?? '')?.[0] ?? null

function clean(value: string | null | undefined): string | null {
  const plain = (value ?? '')
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return plain === '' ? null : plain
}
