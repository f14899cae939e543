import { isSameName, type DasAnswer } from './answer.ts'

const AVAILABLE = new Set(['available', 'free'])
const TAKEN = new Set([
  'not available',
  'not allowed',
  'registered',
  'unavailable',
  'reserved',
  'blocked',
  'unassignable',
])

/**
 * Lines `Domain: …`, `Status: …` and, at some registries, `RC: …`: be, eu, it, lt, ro. One status, and no other domain,
 * or the answer is not understood.
 */
export function parseStatusLines(text: string, domain: string): DasAnswer {
  const fields = new Map<string, string[]>()
  for (const line of text.split('\n', 50)) {
    const match = /^\s*([a-z]+)\s*:\s*(.*?)\s*$/i.exec(line)
    if (!match) continue
    const key = match[1]!.toLowerCase()
    fields.set(key, [...(fields.get(key) ?? []), match[2]!.toLowerCase()])
  }
  const [code = '0'] = fields.get('rc') ?? []
  // -2: too often, -3: blocked.
  if (code === '-2' || code === '-3') return 'rate_limited'
  const statuses = fields.get('status') ?? []
  if (code !== '0' || statuses.length !== 1) return 'unreadable'
  if ((fields.get('domain') ?? []).some((name) => !isSameName(name, domain))) return 'unreadable'
  if (AVAILABLE.has(statuses[0]!)) return 'available'
  return TAKEN.has(statuses[0]!) ? 'not_available' : 'unreadable'
}
