import * as z from 'zod'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { type Context, type Endpoint, type Route, streamingRoute } from '../kernel/endpoint.ts'
import { parseChoices } from '../kernel/input.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import { formatCompact } from './compact.ts'
import { nameDossier } from './contract.ts'
import { LOOKUPS, type Parts } from './lookups.ts'
import { paidParts } from './paid.ts'
import { PART_NAMES, type PartName } from './part.ts'
import { toRows } from './rows.ts'
import { type IsLiveMark, summarize } from './sentence.ts'
import { createPieceQueue } from './piece-queue.ts'
import { createDossiers, type Piece } from './service.ts'
import { parseSubject, type Subject } from './subject.ts'

type Needs = {
  /** The routes that the parts come from. */
  readonly routes: readonly Route[]
  readonly catalogue: Catalogue
  /** Of a status code of the trademark office. */
  readonly isLiveMark: IsLiveMark
  readonly clock: Clock
  /** Base of absolute links. */
  readonly publicUrl: () => string
}

type Query = {
  readonly name: string
  readonly tld?: string | undefined
  readonly category?: string | undefined
  readonly parts?: string | undefined
  readonly deadline: number
}

export function dossierRoutes({ routes, catalogue, isLiveMark, clock, publicUrl }: Needs): Route[] {
  const byName = new Map(routes.map((route) => [route.endpoint.name, route]))
  const routeOf = (endpoint: string): Route => {
    const found = byName.get(endpoint)
    if (!found) throw new Error(`The dossier needs the endpoint ${endpoint}.`)
    return found
  }
  const dossiers = createDossiers({ routeOf, clock })
  const endpointOf = (name: string): Endpoint => routeOf(name).endpoint

  const collect = async (query: Query, context: Context, onPiece: (piece: Piece) => void) => {
    const startedAt = clock.monotonic()
    const subject = parseSubject(query, catalogue)
    const wanted = parseParts(query.parts)
    const parts = await dossiers.collect(subject, { wanted, timeoutMs: query.deadline * 1000, context, onPiece })
    return { subject, parts, totalMs: Math.round(clock.monotonic() - startedAt) }
  }
  const aboutOf = ({ subject, parts, totalMs }: { subject: Subject; parts: Parts; totalMs: number }) => ({
    name: subject.label,
    ...(subject.domain !== null && { domain: subject.domain }),
    sentence: summarize(subject, parts, isLiveMark),
    paid: subject.domain === null ? [] : paidParts(subject.domain, endpointOf, publicUrl()),
    totalMs,
    timestamp: timestamp(clock),
  })

  return [
    streamingRoute(
      nameDossier(dataSchemas(endpointOf)),
      async ({ view, ...query }, context) => {
        const found = await collect(query, context, () => {})
        return view === 'compact'
          ? formatCompact(found.subject, found.parts, isLiveMark)
          : { ...aboutOf(found), parts: found.parts }
      },
      async function* ({ view: _view, ...query }, context) {
        // Refused before the first piece, so that it is an ordinary error answer. The first piece says what will follow.
        const { label, domain, tlds } = parseSubject(query, catalogue)
        const wanted = parseParts(query.parts)
        yield { name: label, ...(domain !== null && { domain }), tlds, asked: [...wanted] }
        const queue = createPieceQueue<Piece>()
        const left = new AbortController()
        const own = { ...contextFields(context), signal: AbortSignal.any([context.signal, left.signal]) }
        const collected = collect(query, own, queue.push).finally(queue.end)
        // Awaited below; without this, a rejection while a piece is sent would be unhandled.
        collected.catch(() => {})
        try {
          yield* queue.read()
          yield aboutOf(await collected)
        } finally {
          left.abort()
        }
      },
      // The compact view is flat as it is.
      { rows: (body) => ('paid' in body ? toRows(body as Parameters<typeof toRows>[0]) : body) },
    ),
  ]
}

/** A context of the HTTP surface has getters, which a spread would call. */
const contextFields = ({ requestId, bearer, client, spend }: Context): Omit<Context, 'signal'> => ({
  requestId,
  bearer,
  client,
  spend,
})

const parseParts = (text: string | undefined): ReadonlySet<PartName> =>
  new Set(text === undefined ? PART_NAMES : parseChoices('parts', text, PART_NAMES))

/** The answers of the endpoints that the parts come from. */
function dataSchemas(endpointOf: (name: string) => Endpoint): Record<PartName, z.ZodType> {
  const outputOf = (name: string): z.ZodType => endpointOf(name).output
  const singles = Object.entries(LOOKUPS).map(([part, { endpoint }]) => [part, outputOf(endpoint)])
  const optional = (name: string, description: string) => outputOf(name).optional().meta({ description })
  return {
    ...(Object.fromEntries(singles) as Record<keyof typeof LOOKUPS, z.ZodType>),
    availability: fullView(outputOf('checkBulk')),
    register: z.array(outputOf('registrationLinks')).meta({ description: 'Of the domains that are available.' }),
    ens: z
      .intersection(
        outputOf('checkEns'),
        z.object({
          premium: optional('ensPremium', 'The premium, if the name is available at one.'),
          expiry: optional('ensExpiry', 'When it expires, if it is registered.'),
        }),
      )
      .meta({ description: 'Whether the name can be registered at ENS, with its premium or expiry.' }),
  }
}

/** The first of several views; the dossier never asks for another. */
const fullView = (output: z.ZodType): z.ZodType =>
  output instanceof z.ZodUnion ? (output.options[0] as z.ZodType) : output
