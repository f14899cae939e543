import { EPP_STATUSES } from '../../kernel/registration.ts'
import { squash } from './json.ts'

/** RFC 8056: the RDAP status is the EPP status with spaces. */
const BY_SQUASHED: ReadonlyMap<string, string> = new Map([
  ...EPP_STATUSES.map((word) => [squash(word), word] as const),
  // The only other pair of RFC 8056.
  ['active', 'ok'],
])

/** Converts a status to its EPP name; a status that EPP does not define stays unchanged. */
export function eppStatus(said: string): string {
  // Some add a link: "clientHold https://icann.org/epp#clientHold".
  const bare = said.replace(/\s*\(?https?:\/\/\S*$/i, '')
  return BY_SQUASHED.get(squash(bare)) ?? bare
}
