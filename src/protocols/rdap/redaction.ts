import { record, records, squash, text, type Json } from './json.ts'

/** Phrases that stand where a registry holds something back. A company may well be called "Hidden Valley". */
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

/** The fields, squashed, that RFC 9537 says were replaced by something else: what stands there is not the truth. */
export function replacedFields(object: Json): ReadonlySet<string> {
  const replaced = records(object['redacted']).filter((one) => text(one['method']) === 'replacementValue')
  const names = replaced.map(({ name }) => text(record(name)?.['type']) ?? text(record(name)?.['description']) ?? '')
  return new Set(names.map(squash))
}
