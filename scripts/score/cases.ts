import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { RegistryAnswer } from '../../src/kernel/registration.ts'
import { parseWhois } from '../../src/protocols/whois43/parse.ts'

/** One answer of a registry and the expected record. Only the expected fields are scored. */
const Case = z.object({
  id: z.string(),
  kind: z.enum(['whois', 'rdap']),
  domain: z.string(),
  tld: z.string(),
  server: z.string().nullish(),
  raw: z.string(),
  encoding: z.string().default('utf-8'),
  httpStatus: z.number().optional(),
  contentType: z.string().optional(),
  expected: z.looseObject({
    outcome: z.string().optional(),
    available: z.boolean().nullish(),
    absent: z.array(z.string()).default([]),
  }),
})
export type Case = z.infer<typeof Case> & { readonly bytes: Uint8Array }

export async function readCases(folder: string): Promise<Case[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const one = Case.parse(JSON.parse(await readFile(join(folder, file), 'utf8')))
      return { ...one, bytes: await readFile(join(folder, one.raw)) }
    }),
  )
}

/** The record that our parsers produce for a case. */
export async function ourRecord(one: Case): Promise<unknown> {
  if (one.kind === 'whois') {
    const text = new TextDecoder(one.encoding).decode(one.bytes)
    return recordOf(whoisAnswer(one, text))
  }
  const { parseRdap } = await import('../../src/protocols/rdap/parse.ts')
  return recordOf(parseRdap(one.httpStatus ?? 200, one.contentType, one.bytes, one.domain))
}

/**
 * Some cases do not know the queried domain and have `example.TLD` or a guess. Our parser rejects an answer that names
 * another domain, so the domains in the text are tried as well.
 */
function whoisAnswer({ domain, tld, server }: Case, text: string): RegistryAnswer {
  const ask = (name: string) => parseWhois(text, { domain: name, tld, server: server ?? undefined })
  const answer = ask(domain)
  if (answer.kind !== 'unclear') return answer
  const lower = text.toLowerCase()
  const under = lower.match(/[a-z0-9-]+(?:\.[a-z0-9-]+)+/g) ?? []
  const labels = [...lower.matchAll(/^no match for ([a-z0-9-]+)$/gm)].map(([, label]) => `${label}.${tld}`)
  const keyed = [...lower.matchAll(/domain(?: name)?[\s:[\]]+([a-z0-9-]+\.[a-z0-9.-]*[a-z])/g)].map(([, name]) => name!)
  const named = domain === `example.${tld}` ? [...under, ...labels] : keyed
  const others = [...new Set(named)].filter((name) => name.endsWith(`.${tld}`)).map(ask)
  return others.find(({ kind }) => kind !== 'unclear') ?? answer
}

function recordOf(answer: RegistryAnswer): unknown {
  switch (answer.kind) {
    case 'registered':
      return { available: false, ...answer.registration }
    case 'available':
      return { available: true }
    case 'reserved':
      return { available: false, status: [answer.reason] }
    case 'unclear':
      return { available: null }
  }
}
