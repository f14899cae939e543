import { isSameName, type DasAnswer } from './answer.ts'

/** One sentence about the name, as the finger service of no answers. */
export function parseSentence(text: string, domain: string): DasAnswer {
  const sentences = text
    .split('\n', 50)
    .map((line) => /^\s*(?:domain\s+)?([a-z0-9.-]+) is (available|delegated)\b[^\n]*$/i.exec(line.trim()))
    .filter((match) => match !== null)
  if (sentences.length !== 1) return 'unreadable'
  const [, name = '', state = ''] = sentences[0]!
  if (!isSameName(name, domain)) return 'unreadable'
  return state.toLowerCase() === 'available' ? 'available' : 'not_available'
}
