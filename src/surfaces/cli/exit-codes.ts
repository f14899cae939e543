/** What a script can tell from how a command ended. Kept small, and shown in `onoma --help`. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'the answer is on standard output; some of what was asked may be unknown' },
  failed: {
    code: 1,
    meaning: 'something went wrong here or upstream (a 5xx over HTTP), or nothing could be found out',
  },
  invalid: { code: 2, meaning: 'the command, an option or a value is not right (a 400)' },
  notFound: { code: 3, meaning: 'there is no such thing (a 404)' },
  limited: { code: 4, meaning: 'asked too often; try later (a 429)' },
  unpaid: { code: 5, meaning: 'a payment is needed (a 402)' },
  interrupted: { code: 130, meaning: 'stopped by Ctrl-C' },
} as const satisfies Record<string, { code: number; meaning: string }>

/** The exit code that says the same as an HTTP status. */
export function exitCodeOf(status: number): number {
  if (status < 400) return EXIT_CODES.ok.code
  if (status >= 500) return EXIT_CODES.failed.code
  if (status === 404) return EXIT_CODES.notFound.code
  if (status === 429) return EXIT_CODES.limited.code
  if (status === 402) return EXIT_CODES.unpaid.code
  return EXIT_CODES.invalid.code
}
