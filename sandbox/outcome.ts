/** What becomes of a question. Each simulator plays it in its own wire language; over HTTP `play-http.ts` does. */
export type Outcome =
  /** The answer, as it should be. */
  | { readonly kind: 'ok' }
  /** The answer, late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The answer, a few bytes at a time. */
  | { readonly kind: 'drip'; readonly ms: number }
  /** Nothing at all; the connection stays open. */
  | { readonly kind: 'hang' }
  /** "You ask too often", and for how long to stay away. */
  | { readonly kind: 'throttled'; readonly seconds: number }
  /** "You may not." */
  | { readonly kind: 'denied'; readonly status: number }
  /** An error of the server's own, told in a web page. */
  | { readonly kind: 'broken'; readonly status: number }
  /** "Out of order." */
  | { readonly kind: 'down' }
  /** The status of the answer, but around something else: a web page of a proxy, a portal, a parking service. */
  | { readonly kind: 'foreign' }
  /** The first half of the answer, as if it were all of it. */
  | { readonly kind: 'half' }
  /** The first half of the answer; then the connection ends. */
  | { readonly kind: 'cut' }
  /** The connection is reset before anything is said. */
  | { readonly kind: 'reset' }
  /** An answer that does not end before any sane reader gives up. */
  | { readonly kind: 'huge'; readonly bytes: number }
  /** "Ask over there", where nobody should be sent. */
  | { readonly kind: 'redirect'; readonly to: string }

export const OK: Outcome = { kind: 'ok' }

const MIB = 1024 * 1024
/** Whoever follows a redirect to an address inside somebody's network can be made to read what is not public. */
const PRIVATE_TARGET = 'http://10.0.0.1/'

type Scripted = Exclude<Outcome['kind'], 'ok'>

/** What each word makes of the number behind it, where there is one. `docs/sandbox.md` has the same as a table. */
const SCRIPTS: Readonly<Record<Scripted, (number: number | undefined) => Outcome>> = {
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

export const OUTCOME_WORDS = Object.keys(SCRIPTS) as readonly Scripted[]

/** The outcome that a name asks for by how it starts: `slow-shop`, `slow250-shop`, `throttled`. */
export function outcomeOf(name: string): Outcome {
  const script = scriptOf(name, OUTCOME_WORDS)
  return script ? SCRIPTS[script.word](script.number) : OK
}

/**
 * The word of a list that a name starts with, and the number right behind it. For the words that only one simulator
 * knows; those all of them know are read by `outcomeOf`.
 */
export function scriptOf<Word extends string>(
  name: string,
  words: readonly Word[],
): { readonly word: Word; readonly number: number | undefined } | undefined {
  const lower = name.toLowerCase()
  const [word] = words.filter((one) => lower.startsWith(one)).toSorted((a, b) => b.length - a.length)
  if (word === undefined) return undefined
  const digits = /^\d{1,6}/.exec(lower.slice(word.length))?.[0]
  return { word, number: digits === undefined ? undefined : Number(digits) }
}
