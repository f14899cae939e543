/** How a request goes. Each simulator plays it in its own protocol; for HTTP see `play-http.ts`. */
export type Outcome =
  /** The normal answer. */
  | { readonly kind: 'ok' }
  /** The answer, delayed. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The answer, a few bytes at a time. */
  | { readonly kind: 'drip'; readonly ms: number }
  /** No answer; the connection stays open. */
  | { readonly kind: 'hang' }
  /** Rate limited, with the seconds to wait. */
  | { readonly kind: 'throttled'; readonly seconds: number }
  /** Access denied. */
  | { readonly kind: 'denied'; readonly status: number }
  /** A server error with a web page as body. */
  | { readonly kind: 'broken'; readonly status: number }
  /** Service unavailable. */
  | { readonly kind: 'down' }
  /** The status of the answer, with an unrelated web page as body, as from a proxy, a portal or a parking service. */
  | { readonly kind: 'foreign' }
  /** A complete message with only the first half of the answer. */
  | { readonly kind: 'half' }
  /** The first half of the answer, then the connection ends. */
  | { readonly kind: 'cut' }
  /** The connection is reset before a byte is sent. */
  | { readonly kind: 'reset' }
  /** An answer larger than any client should read. */
  | { readonly kind: 'huge'; readonly bytes: number }
  /** A redirect to an address that clients must not follow. */
  | { readonly kind: 'redirect'; readonly to: string }

export const OK: Outcome = { kind: 'ok' }

const MIB = 1024 * 1024
/** A client that follows redirects into a private network can be made to read internal pages (SSRF). */
const PRIVATE_TARGET = 'http://10.0.0.1/'

type ScriptedKind = Exclude<Outcome['kind'], 'ok'>

/** The outcome of each word, with the number after it if there is one. `docs/sandbox.md` has them as a table. */
const SCRIPTS: Readonly<Record<ScriptedKind, (number: number | undefined) => Outcome>> = {
  slow: (ms = 2000) => ({ kind: 'slow', ms }),
  drip: (ms = 1000) => ({ kind: 'drip', ms }),
  hang: () => ({ kind: 'hang' }),
  throttled: (seconds = 30) => ({ kind: 'throttled', seconds }),
  denied: (status) => ({ kind: 'denied', status: status === 401 ? 401 : 403 }),
  broken: (status = 500) => ({ kind: 'broken', status: status > 500 && status < 600 ? status : 500 }),
  down: () => ({ kind: 'down' }),
  foreign: () => ({ kind: 'foreign' }),
  half: () => ({ kind: 'half' }),
  cut: () => ({ kind: 'cut' }),
  reset: () => ({ kind: 'reset' }),
  huge: (mib = 1024) => ({ kind: 'huge', bytes: mib * MIB }),
  redirect: () => ({ kind: 'redirect', to: PRIVATE_TARGET }),
}

export const OUTCOME_WORDS = Object.keys(SCRIPTS) as readonly ScriptedKind[]

/** The outcome that the start of a name scripts: `slow-shop`, `slow250-shop`, `throttled`. */
export function outcomeOf(name: string): Outcome {
  const script = scriptOf(name, OUTCOME_WORDS)
  return script ? SCRIPTS[script.word](script.number) : OK
}

/**
 * The longest of the words that the name starts with, and the number directly after it. For words that only one
 * simulator knows; `outcomeOf` parses the shared ones.
 */
export function scriptOf<Word extends string>(
  name: string,
  words: readonly Word[],
): { readonly word: Word; readonly number: number | undefined } | undefined {
  const lower = name.toLowerCase()
  const [word] = words.filter((candidate) => lower.startsWith(candidate)).toSorted((a, b) => b.length - a.length)
  if (word === undefined) return undefined
  const digits = /^\d{1,6}/.exec(lower.slice(word.length))?.[0]
  return { word, number: digits === undefined ? undefined : Number(digits) }
}
