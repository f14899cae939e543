import type { Registration, RegistryAnswer } from '../../kernel/registration.ts'
import { askedName } from './parse/asked-name.ts'
import { partAbout, type About } from './parse/document.ts'
import { readPieces, type Piece } from './parse/entries.ts'
import { readFacts } from './parse/facts.ts'
import { familyOf } from './parse/families.ts'
import { foreignForm } from './parse/foreign.ts'
import { normaliseKey } from './parse/keys.ts'
import { readLines } from './parse/lines.ts'
import { readParts } from './parse/reader.ts'
import { judge, unclear } from './parse/verdict.ts'
import { isYes, PREMIUM_KEYS } from './parse/wording/premium.ts'
import { knownWording } from './parse/wording/known.ts'

export type Asked = {
  readonly domain: string
  readonly tld: string
  /** The registry's own WHOIS host, with or without a port. Its known wordings are looked up by this name. */
  readonly server?: string | undefined
}

/**
 * What a WHOIS server's answer comes to. Takes time in proportion to the text's length, whatever the text is; never
 * says `available` unless a whole statement of the text says so and nothing in it speaks of a registration.
 */
export function parseWhois(text: string, asked: Asked): RegistryAnswer {
  const foreign = foreignForm(text)
  if (foreign !== undefined) return unclear('unavailable', foreign)
  const name = askedName(asked)
  const { domain } = name
  const family = familyOf(name.tld)
  const { lines, cut } = readLines(text)
  const read = (pieces: readonly Piece[]) => {
    const { part, namesAnother } = partAbout(readParts(pieces), name)
    const registration = readFacts(part, domain, family.order)
    return { part, namesAnother, registration: family.correct?.(registration, { part, lines, domain }) ?? registration }
  }
  const pieces = readPieces(lines)
  const { part, namesAnother, registration } = readTwice(pieces, read)
  const statuses = part.fields.get('status') ?? []
  return judge({
    lines,
    cut,
    asked: name,
    namesAnother,
    registration,
    statuses,
    isPremium: pieces.some(saysPremium),
    notFoundHere: family.notFound,
    known: knownWording(asked.server),
  })
}

const saysPremium = (piece: Piece): boolean =>
  piece.kind === 'entry' && isYes(piece.value) && PREMIUM_KEYS.has(normaliseKey(piece.label))

type Read = (pieces: readonly Piece[]) => About & { readonly registration: Registration }

/** Answers in two languages say everything twice: what is told under keys in Latin letters counts first. */
function readTwice(pieces: readonly Piece[], read: Read): ReturnType<Read> {
  const latin = pieces.filter((piece) => !isForeign(piece))
  const first = read(latin)
  if (latin.length === pieces.length) return first
  const all = read(pieces)
  return { ...all, registration: completed(first.registration, all.registration) }
}

const isForeign = (piece: Piece): boolean =>
  piece.kind === 'entry' && /[^\p{Script=Latin}\p{Script=Common}\p{Mn}]/u.test(piece.label)

function completed(first: Registration, more: Registration): Registration {
  const registrar = merged(first.registrar, more.registrar)
  const dates = merged(first.dates, more.dates)
  const registrant = merged(first.registrant, more.registrant)
  return {
    ...more,
    ...first,
    ...(registrar && { registrar }),
    ...(dates && { dates }),
    ...(registrant && { registrant }),
    status: first.status.length > 0 ? first.status : more.status,
    nameservers: first.nameservers.length > 0 ? first.nameservers : more.nameservers,
  }
}

const merged = <Fields extends object>(first: Fields | undefined, more: Fields | undefined): Fields | undefined =>
  first && more ? { ...more, ...first } : (first ?? more)
