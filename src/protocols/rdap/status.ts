import { squash } from './json.ts'

/** The EPP words of RFC 5731 and RFC 3915 for a domain. RFC 8056 gives each an RDAP word: the same one with spaces. */
const EPP = [
  'addPeriod',
  'autoRenewPeriod',
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'inactive',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingRenew',
  'pendingRestore',
  'pendingTransfer',
  'pendingUpdate',
  'redemptionPeriod',
  'renewPeriod',
  'serverDeleteProhibited',
  'serverHold',
  'serverRenewProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
  'transferPeriod',
]

const BY_SQUASHED: ReadonlyMap<string, string> = new Map([
  ...EPP.map((word) => [squash(word), word] as const),
  // The one pair of RFC 8056 that differs by more than its spelling.
  ['active', 'ok'],
])

/** EPP's word for a status, in whatever spelling it came; the registry's own word where EPP has none. */
export function eppStatus(said: string): string {
  // Some send the explanation along: "clientHold https://icann.org/epp#clientHold".
  const bare = said.replace(/\s*\(?https?:\/\/\S*$/i, '')
  return BY_SQUASHED.get(squash(bare)) ?? bare
}
