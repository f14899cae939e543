import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveWhois } from '../../sandbox/names/whois-server.ts'
import { OK } from '../../sandbox/outcome.ts'
import { serveHttp, type SimulatedRequest } from '../../sandbox/http-server.ts'
import type { World } from '../../sandbox/world.ts'

type ChangedWorld = Pick<World, 'settings'> & {
  /** The address that answers for this one, with another shape. */
  changed(url: string): Promise<string>
  stop(): Promise<void>
}

const LOOPBACK_URL = /http:\/\/127\.0\.0\.1:\d+/g
const wait = async () => {}

/**
 * Puts a proxy in front of every HTTP server that the settings name, in a URL or a file, and a server in place of every
 * WHOIS server. They answer as the providers would after a change of their format: fields have other names.
 */
export async function changeShapes({ settings, folder }: Pick<World, 'settings' | 'folder'>): Promise<ChangedWorld> {
  const proxies = new Map<string, Promise<{ url: string; stop(): Promise<void> }>>()
  const proxyOf = (origin: string) => {
    const known = proxies.get(origin) ?? serveHttp((request) => forward(origin, request), { wait })
    proxies.set(origin, known)
    return known
  }
  const changed = async (text: string): Promise<string> => {
    const origins = new Set(text.match(LOOPBACK_URL))
    const replaced = new Map<string, string>()
    for (const origin of origins) replaced.set(origin, (await proxyOf(origin)).url)
    return text.replaceAll(LOOPBACK_URL, (origin) => replaced.get(origin)!)
  }
  const whois = await serveWhois({
    wait,
    respond: async (query) => ({ outcome: OK, text: `*** ${query}\n*** see our new service\n` }),
  })
  const changedFile = async (setting: string, path: string): Promise<string> => {
    const text = readFileSync(path, 'utf8')
    const content =
      setting === 'ONOMA_WHOIS_SERVERS' ? text.replaceAll(/127\.0\.0\.1:\d+/g, whois.address) : await changed(text)
    const copy = join(folder, `changed-${setting}`)
    await writeFile(copy, content)
    return copy
  }
  const entries = Object.entries(settings).map(async ([name, value]) => {
    const isFile = value.startsWith(folder) && value.endsWith('.json')
    return [name, isFile ? await changedFile(name, value) : await changed(value)] as const
  })
  return {
    settings: Object.fromEntries(await Promise.all(entries)),
    changed,
    async stop() {
      for (const proxy of proxies.values()) await (await proxy).stop()
      await whois.stop()
    },
  }
}

async function forward(origin: string, { method, url, headers, body }: SimulatedRequest) {
  const sent = { ...headers } as Record<string, string>
  for (const name of ['host', 'connection', 'content-length', 'accept-encoding']) delete sent[name]
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const reply = await fetch(`${origin}${url.pathname}${url.search}`, {
    method,
    headers: sent,
    ...(hasBody && { body }),
  })
  const type = reply.headers.get('content-type') ?? ''
  return { outcome: OK, answer: { status: reply.status, type, body: renameFields(await reply.text()) } }
}

/** JSON with other names of fields; anything else becomes a web page. */
function renameFields(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [`new_${name}`, inner]))
        : value,
    )
  } catch {
    return '<!doctype html><title>We have moved</title>'
  }
}
