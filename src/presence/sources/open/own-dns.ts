import { parseName } from '../../name.ts'
import type { Found } from '../../search-engine.ts'
import type { OpenSource } from './open-source.ts'

/** Whether a domain has both a web server and a mail server; false if it does not exist. Throws if unknown. */
export type IsInUse = (domain: string, signal: AbortSignal) => Promise<boolean>

const SUFFIXES = ['com', 'net', 'org', 'io'] as const

/** Domains of the name that are in use: one that is only registered or parked rarely receives mail. */
export const ownDns = (isInUse: IsInUse): OpenSource => ({
  id: 'dns',
  async find(words, signal) {
    const label = parseName(words)?.label ?? null
    if (label === null) return []
    const found = await Promise.allSettled(
      SUFFIXES.map(async (suffix): Promise<readonly Found[]> => {
        const domain = `${label}.${suffix}`
        if (!(await isInUse(domain, signal))) return []
        return [{ title: domain, url: `https://${domain}/`, snippet: 'Domain with a web server and a mail server' }]
      }),
    )
    signal.throwIfAborted()
    const answered = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // One domain whose own name servers fail says nothing about the others.
    if (answered.length === 0) throw (found[0] as PromiseRejectedResult).reason
    return answered.flat()
  },
})
