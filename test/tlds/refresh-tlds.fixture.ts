import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refreshTlds } from '../../scripts/refresh-tlds.ts'
import { formatTldFile, parseTldFile, type TldFile } from '../../src/tlds/data-file.ts'

export const SHIPPED = fileURLToPath(new URL('../../data/tlds.json', import.meta.url))
export const BOOTSTRAP_PATH = '/rdap/dns.json'
export const ROOT_PATH = '/TLD/tlds-alpha-by-domain.txt'

type Services = [string[], string[]][]
/** The content of IANA's two files. */
export type Iana = { publication: string; services: Services; version: string; root: string[] }

/** IANA's two files without any change since our data was generated, plus one TLD that we do not list. */
function unchanged({ sources, tlds }: TldFile): Iana {
  const listed = tlds.filter(({ rdapFrom }) => rdapFrom === 'iana')
  return {
    publication: sources.bootstrap,
    services: [
      ...listed.map(({ tld, rdapServer }): Services[number] => [[tld], [rdapServer!]]),
      [['zw'], ['http://x/']],
      [['br'], ['https://rdap.registro.br/']],
    ],
    version: sources.root,
    root: [...tlds.map(({ tld }) => tld), 'xn--p1ai', 'zw'],
  }
}

export const bootstrapText = ({ publication, services }: Iana) =>
  JSON.stringify({ version: '1.0', publication, services })

export const rootText = ({ version, root }: Iana) =>
  [`# Version ${version}, Last Updated Sun Nov 15 07:07:02 2026 UTC`, ...root.map((tld) => tld.toUpperCase()), ''].join(
    '\n',
  )

export const serverOf = (iana: Iana, tld: string): Services[number] => iana.services.find(([[name]]) => name === tld)!
export const without = <T>(list: T[], unwanted: (entry: T) => boolean): T[] => list.filter((entry) => !unwanted(entry))

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server with IANA's files, and a copy of our data file to refresh. */
export async function startRefreshWorld() {
  const good = parseTldFile(await readFile(SHIPPED, 'utf8'))
  const folder = await mkdtemp(join(tmpdir(), 'onoma-tlds-'))
  const data = join(folder, 'tlds.json')
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close')
    const path = request.url ?? ''
    const handler = world.handlers[path]
    if (handler) return handler(request, response)
    if (path === BOOTSTRAP_PATH) return response.end(bootstrapText(world.iana))
    if (path === ROOT_PATH) return response.end(rootText(world.iana))
    response.statusCode = 404
    return response.end('no')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const run = async (...args: string[]) => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const code = await refreshTlds(['--data', data, '--from', base, ...args], { print, timeoutMs: 5000, gapMs: 0 })
    return { code, lines, text: lines.join('\n') }
  }

  const world = {
    good,
    folder,
    data,
    base,
    iana: unchanged(good),
    /** Replaces the answer to a path. */
    handlers: {} as Record<string, Handler>,
    run,
    /** Asserts that a refresh fails with this message, and leaves the data file unchanged and nothing beside it. */
    async rejects(message: RegExp): Promise<void> {
      const { code, text } = await run('--write')
      assert.match(text, message)
      assert.match(text, /the data file is unchanged/)
      assert.equal(code, 1)
      assert.equal(await readFile(data, 'utf8'), formatTldFile(good))
      assert.deepEqual(await readdir(folder), ['tlds.json'])
    },
    async reset(): Promise<void> {
      world.iana = unchanged(good)
      world.handlers = {}
      await writeFile(data, formatTldFile(good))
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await rm(folder, { recursive: true })
    },
  }
  return world
}

export type RefreshWorld = Awaited<ReturnType<typeof startRefreshWorld>>
