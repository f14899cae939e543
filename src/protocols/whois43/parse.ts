import type { Registration, RegistryAnswer } from '../../kernel/registration.ts'
import { createAskedName } from './parse/asked-name.ts'
import { selectRecord, type SelectedRecord } from './parse/domain-record.ts'
import { tokenizeLines, type LineToken } from './parse/tokenize-lines.ts'
import { extractRegistration } from './parse/extract-registration.ts'
import { quirksOf } from './parse/registry-quirks.ts'
import { detectNonWhois } from './parse/non-whois.ts'
import { normalizeKey } from './parse/keys.ts'
import { splitLines } from './parse/lines.ts'
import { parseDomainRecords } from './parse/record-parser.ts'
import { classifyAnswer, unclear } from './parse/verdict.ts'
import { isYes, PREMIUM_KEYS } from './parse/wording/premium.ts'
import { knownWording } from './parse/wording/known-wording.ts'

export type WhoisTarget = {
  readonly domain: string
  readonly tld: string
  /** The registry's WHOIS host, with or without a port. Known wordings are looked up by this host. */
  readonly server?: string | undefined
}

/**
 * Interprets a WHOIS answer, in time linear in its length. Returns `available` only if a whole statement says so and
 * nothing in the answer indicates a registration.
 */
export function parseWhois(text: string, asked: WhoisTarget): RegistryAnswer {
  const foreign = detectNonWhois(text)
  if (foreign !== undefined) return unclear('unavailable', foreign)
  const name = createAskedName(asked)
  const { domain } = name
  const family = quirksOf(name.tld)
  const { lines, cut } = splitLines(text)
  const read = (tokens: readonly LineToken[]) => {
    const { record, namesAnother } = selectRecord(parseDomainRecords(tokens), name)
    const registration = extractRegistration(record, domain, family.order)
    return {
      record,
      namesAnother,
      registration: family.correct?.(registration, { record, lines, domain }) ?? registration,
    }
  }
  const tokens = tokenizeLines(lines)
  const { record, namesAnother, registration } = readLatinFirst(tokens, read)
  const statuses = record.fields.get('status') ?? []
  return classifyAnswer({
    lines,
    cut,
    asked: name,
    namesAnother,
    registration,
    statuses,
    isPremium: tokens.some(saysPremium),
    notFoundHere: family.notFound,
    known: knownWording(asked.server),
  })
}

const saysPremium = (token: LineToken): boolean =>
  token.kind === 'entry' && isYes(token.value) && PREMIUM_KEYS.has(normalizeKey(token.label))

type Read = (tokens: readonly LineToken[]) => SelectedRecord & { readonly registration: Registration }

/** Bilingual answers repeat everything: values under keys in Latin script take precedence. */
function readLatinFirst(tokens: readonly LineToken[], read: Read): ReturnType<Read> {
  const latin = tokens.filter((token) => !isForeign(token))
  const first = read(latin)
  if (latin.length === tokens.length) return first
  const all = read(tokens)
  return { ...all, registration: completed(first.registration, all.registration) }
}

const isForeign = (token: LineToken): boolean =>
  token.kind === 'entry' && /[^\p{Script=Latin}\p{Script=Common}\p{Mn}]/u.test(token.label)

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
