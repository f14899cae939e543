import type { DasAnswer } from './answer.ts'

/** One line that begins with a number: ch and li. */
export function parseNumberLine(text: string): DasAnswer {
  const code = /^\s*(-?\d{1,3}):[^\n]*\s*$/.exec(text)?.[1]
  if (code === '1') return 'available'
  if (code === '0') return 'not_available'
  return code === '-95' ? 'rate_limited' : 'unreadable'
}
