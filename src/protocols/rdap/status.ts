import { EPP_STATUSES } from '../../kernel/registration.ts'
import { squash } from './json.ts'

/** RFC 8056 gives each status of EPP an RDAP word: the same one with spaces. */
const BY_SQUASHED: ReadonlyMap<string, string> = new Map([
  ...EPP_STATUSES.map((word) => [squash(word), word] as const),
  // The one pair of RFC 8056 that differs by more than its spelling.
  ['active', 'ok'],
])

/** EPP's word for a status, in whatever spelling it came; the registry's own word where EPP has none. */
export function eppStatus(said: string): string {
  // Some send the explanation along: "clientHold https://icann.org/epp#clientHold".
  const bare = said.replace(/\s*\(?https?:\/\/\S*$/i, '')
  return BY_SQUASHED.get(squash(bare)) ?? bare
}
