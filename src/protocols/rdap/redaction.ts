import { record, records, squash, text, type Json } from './json.ts'

/** Placeholders for redacted data. Whole phrases, because a company may be called "Hidden Valley". */
const WITHHELD = [
  /\bredacted\b/i,
  /^\W*(?:(?:personal |contact )?(?:data|information|details|registrant|name) )?(?:is |has been )?(?:masked|withheld|hidden|removed|protected|undisclosed|non-?public|not (?:disclosed|published|shown|available|public))(?: data| information)?(?: (?:for|due|by|upon|per|under|in|at) .*)?\W*$/i,
  /^\W*(?:gdpr|statutory masking)\b/i,
  /^(?:n\/a|none|null|unknown|not applicable)\.?$/i,
]

/** The value; undefined if it is only a placeholder for withheld data. */
export const disclosed = (value: string | undefined): string | undefined =>
  value === undefined || !/[\p{L}\p{N}]/u.test(value) || WITHHELD.some((phrase) => phrase.test(value))
    ? undefined
    : value

/** The fields, squashed, whose real value was replaced (RFC 9537). */
export function replacedFields(object: Json): ReadonlySet<string> {
  const replaced = records(object['redacted']).filter((one) => text(one['method']) === 'replacementValue')
  const names = replaced.map(({ name }) => text(record(name)?.['type']) ?? text(record(name)?.['description']) ?? '')
  return new Set(names.map(squash))
}
