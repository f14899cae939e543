/** Exit codes for scripts, listed in `onoma --help`. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'success: the answer is on standard output; parts of it may be unknown' },
  failed: {
    code: 1,
    meaning: 'internal or upstream error (5xx over HTTP), or no result could be determined',
  },
  invalid: { code: 2, meaning: 'invalid command, option or value (400)' },
  notFound: { code: 3, meaning: 'not found (404)' },
  limited: { code: 4, meaning: 'rate limit exceeded; try again later (429)' },
  unpaid: { code: 5, meaning: 'payment required (402)' },
  interrupted: { code: 130, meaning: 'stopped by Ctrl-C' },
} as const satisfies Record<string, { code: number; meaning: string }>

/** The exit code for an HTTP status. */
export function exitCodeOf(status: number): number {
  if (status < 400) return EXIT_CODES.ok.code
  if (status >= 500) return EXIT_CODES.failed.code
  if (status === 404) return EXIT_CODES.notFound.code
  if (status === 429) return EXIT_CODES.limited.code
  if (status === 402) return EXIT_CODES.unpaid.code
  return EXIT_CODES.invalid.code
}
