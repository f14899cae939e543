import type { DasAnswer } from './answer.ts'

/** A word and the name, as the web service of se and nu answers: `free example.se`. */
export function parseWordAndName(text: string, domain: string): DasAnswer {
  const [, word, name] = /^\s*(free|occupied|not_valid)\s+([a-z0-9.-]+)\s*$/i.exec(text) ?? []
  if (name?.toLowerCase() !== domain) return 'unreadable'
  return word!.toLowerCase() === 'free' ? 'available' : 'not_available'
}
