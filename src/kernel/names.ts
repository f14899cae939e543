import { createRequire } from 'node:module'
import type * as tr46 from 'tr46'
import * as z from 'zod'
import { once } from './once.ts'

declare const checked: unique symbol
/** A full domain: lower case, ASCII, without a trailing dot. Only `parseDomain` creates one. */
export type DomainName = string & { readonly [checked]: 'domain' }
/** A name to look up in DNS: a domain, or a name with underscores in its labels (`_dmarc.example.com`). */
export type DnsName = DomainName | (string & { readonly [checked]: 'dns' })
/** One label of a domain: lower case, ASCII, no dot. Only `parseLabel` and `splitDomain` create one. */
export type Label = string & { readonly [checked]: 'label' }

/** The parsed name, or what is wrong with the text, as a message to the caller. */
export type ParseResult<Name> =
  | { readonly ok: true; readonly name: Name }
  | { readonly ok: false; readonly problem: string }

const MAX_DOMAIN_LENGTH = 253
const MAX_LABEL_LENGTH = 63

const STRICT = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
}

export const parseDomain = (text: string): ParseResult<DomainName> => parseFullName<DomainName>(text, LETTERS)

/** Like `parseDomain`, but allows underscores below the TLD. */
const parseDnsName = (text: string): ParseResult<DnsName> => parseFullName<DnsName>(text, WITH_UNDERSCORES)

/** The characters allowed in a label; `description` is for messages. */
type Alphabet = { readonly pattern: RegExp; readonly description: string; readonly idna: typeof STRICT }
const LETTERS: Alphabet = { pattern: /^[a-z0-9-]*$/i, description: 'letters, digits, hyphens and dots', idna: STRICT }
const WITH_UNDERSCORES: Alphabet = {
  pattern: /^[a-z0-9_-]*$/i,
  description: 'letters, digits, hyphens, underscores and dots',
  idna: { ...STRICT, useSTD3ASCIIRules: false },
}

function parseFullName<Name extends string>(text: string, alphabet: Alphabet): ParseResult<Name> {
  const trimmed = text.trim()
  const given = trimmed.endsWith('.') ? trimmed.slice(0, -1) : trimmed
  const problem = domainProblem(given, alphabet)
  return problem === undefined ? { ok: true, name: given.toLowerCase() as Name } : { ok: false, problem }
}

export function parseLabel(text: string): ParseResult<Label> {
  const given = text.trim()
  const problem = soleLabelProblem(given)
  return problem === undefined ? { ok: true, name: given.toLowerCase() as Label } : { ok: false, problem }
}

/** Checks the length first, so that all other checks work on short text. */
function domainProblem(given: string, alphabet: Alphabet): string | undefined {
  if (given === '') return 'is empty; give a full domain, for example example.com.'
  if (given.length > MAX_DOMAIN_LENGTH)
    return `is ${given.length} characters long; a domain has at most ${MAX_DOMAIN_LENGTH}.`
  if (!isAscii(given)) {
    if (/\.eth$/i.test(given)) return ensProblem(given)
    return notAscii(given, alphabet, (ascii) => domainProblem(ascii, alphabet) === undefined)
  }
  if (given.includes('/')) return 'looks like a URL; give only the domain, for example example.com.'
  const forbidden = firstForbiddenCharacter(given.replaceAll('.', ''), alphabet)
  if (forbidden !== undefined) return `contains ${forbidden}; a domain has only ${alphabet.description}.`
  const labels = given.toLowerCase().split('.')
  for (const label of labels) {
    const problem = labelProblem(label)
    if (problem !== undefined) return problem
  }
  if (labels.length === 1) return `has no TLD; give the full domain, for example ${labels[0]}.com.`
  const last = labels.at(-1)!
  if (!/^[a-z]{2,}$/.test(last) && !last.startsWith('xn--')) {
    return `ends in "${last}", which is not a TLD; a TLD has at least two letters and nothing else.`
  }
  return undefined
}

function soleLabelProblem(given: string): string | undefined {
  if (given === '') return 'is empty; give a name without its TLD, for example example.'
  if (given.length > MAX_LABEL_LENGTH)
    return `is ${given.length} characters long; a name has at most ${MAX_LABEL_LENGTH}.`
  if (!isAscii(given)) return notAscii(given, LETTERS, (ascii) => soleLabelProblem(ascii) === undefined)
  if (given.includes('.')) return 'contains a dot; give the name without its TLD, for example example.'
  const forbidden = firstForbiddenCharacter(given, LETTERS)
  if (forbidden !== undefined) return `contains ${forbidden}; a name has only letters, digits and hyphens.`
  return labelProblem(given.toLowerCase())
}

/** What is wrong with a label in lower case whose characters have been checked. */
function labelProblem(label: string): string | undefined {
  if (label === '') return 'has an empty label; write one dot between labels and none before the first.'
  if (label.length > MAX_LABEL_LENGTH) {
    return `has a label of ${label.length} characters; a label has at most ${MAX_LABEL_LENGTH}.`
  }
  if (label.startsWith('-') || label.endsWith('-')) {
    return `has the label "${label}"; a label may not start or end with a hyphen.`
  }
  if (label.startsWith('xn--') && toASCII(label, STRICT) !== label) {
    return `has the label "${label}", which is not valid punycode for any name.`
  }
  return undefined
}

/** Loaded with the first name that needs it: its tables are large, and most names are ASCII. */
const idna = once(() => createRequire(import.meta.url)('tr46') as typeof tr46)
const toASCII: typeof tr46.toASCII = (text, options) => idna().toASCII(text, options)

/** Never converted silently: two names may look alike, so the caller must confirm the ASCII form. */
function notAscii(given: string, { idna: options }: Alphabet, isGood: (ascii: string) => boolean): string {
  const ascii = toASCII(given, options)
  return ascii !== null && isGood(ascii)
    ? `is not ASCII; use its punycode form ${ascii}.`
    : 'is not ASCII and has no valid punycode form; use letters, digits and hyphens.'
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** The first character that is not allowed, formatted for a message. */
function firstForbiddenCharacter(ascii: string, { pattern }: Alphabet): string | undefined {
  // Nearly all names are valid: test all characters at once.
  if (pattern.test(ascii)) return undefined
  for (const character of ascii) {
    if (pattern.test(character)) continue
    if (character === ' ') return 'a space'
    const code = character.charCodeAt(0)
    const visible = code > 0x20 && code < 0x7f
    return visible ? `"${character}"` : `a control character (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
  }
  return undefined
}

/** How a domain relates to the supported suffixes; every kind but `registrable` has a message with the problem. */
export type SplitDomain =
  | { readonly kind: 'registrable'; readonly label: Label; readonly suffix: string; readonly registrable: DomainName }
  | {
      readonly kind: 'subdomain'
      readonly label: Label
      readonly suffix: string
      readonly registrable: DomainName
      readonly problem: string
    }
  | { readonly kind: 'unsupported'; readonly tld: string; readonly problem: string }

/** Splits a domain at the longest suffix of `suffixes` that leaves a label before it. */
export function splitDomain(domain: DomainName, suffixes: ReadonlySet<string>): SplitDomain {
  let start = 0
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', start)) {
    const suffix = domain.slice(dot + 1)
    if (suffixes.has(suffix)) {
      const label = domain.slice(start, dot) as Label
      const registrable = domain.slice(start) as DomainName
      if (start === 0) return { kind: 'registrable', label, suffix, registrable }
      const problem = `${domain} is a sub-domain of ${registrable}; ask for ${registrable}.${listSuffixes(suffix, suffixes)}`
      return { kind: 'subdomain', label, suffix, registrable, problem }
    }
    start = dot + 1
  }
  const tld = domain.slice(start)
  const problem = tld === 'eth' ? `${domain} ${ensProblem(domain)}` : `The TLD ${unsupportedSuffix(tld)}`
  return { kind: 'unsupported', tld, problem }
}

/** The last label: the TLD of a domain or of a suffix. */
export const tldOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

export const unsupportedSuffix = (suffix: string): string =>
  `.${suffix} is not supported; GET /v1/tlds and GET /v1/suffixes list what is.`

/** What to do with a name of ENS, which looks like a domain and is in no registry. */
export const ensProblem = (name: string): string => {
  const given = encodeURIComponent(name.toLowerCase())
  return (
    `is an ENS name, not a domain; GET /v1/ens/check?name=${given} tells whether it is available, ` +
    `GET /v1/ens/metadata?name=${given} who holds it, and POST /v1/ens/register/prepare-commit begins its registration.`
  )
}

/**
 * A name like `acme.gov.uk` is no sub-domain of somebody's domain, but nothing in it says so: name the suffixes of that
 * country which are supported.
 */
function listSuffixes(tld: string, suffixes: ReadonlySet<string>): string {
  const below = tld.length === 2 ? [...suffixes].filter((suffix) => suffix.endsWith(`.${tld}`)) : []
  return below.length === 0 ? '' : ` Names can also be under ${below.join(', ')} (GET /v1/suffixes).`
}

const domainMeta = {
  description: 'Full domain including its TLD, in ASCII (an internationalised name in its punycode form).',
  examples: ['example.com'],
}
const dnsNameMeta = {
  description: 'Name to look up, including its TLD, in ASCII. Sub-domains and underscores are allowed.',
  examples: ['example.com'],
}
const labelMeta = {
  description: 'Name without its TLD: 1 to 63 letters, digits and inner hyphens.',
  examples: ['example'],
}

// The meta is set twice: JSON Schema is made from the inner text schema, error messages use that of the whole field.

/** A field of an endpoint's input that holds a full domain. */
export const domainField = z
  .string()
  .meta(domainMeta)
  .transform((text, context) => accept(parseDomain(text), text, context))
  .meta(domainMeta)

/** A field of an endpoint's input that holds a name to look up in DNS. */
export const dnsNameField = z
  .string()
  .meta(dnsNameMeta)
  .transform((text, context) => accept(parseDnsName(text), text, context))
  .meta(dnsNameMeta)

/** A field of an endpoint's input that holds a name without its TLD. */
export const labelField = z
  .string()
  .meta(labelMeta)
  .transform((text, context) => accept(parseLabel(text), text, context))
  .meta(labelMeta)

function accept<Name>(result: ParseResult<Name>, input: string, context: z.RefinementCtx): Name {
  if (result.ok) return result.name
  context.issues.push({ code: 'custom', message: result.problem, input })
  return z.NEVER
}
