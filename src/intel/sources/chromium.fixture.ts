import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { serverFor } from '../../../test/support/servers/for-suites.ts'
import { systemClock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import { createChromium } from './chromium.ts'

export const { skip, address: program } = serverFor('chromium')
export const forever = new AbortController().signal

type Options = NonNullable<Parameters<typeof createChromium>[0]['options']>

/** A web server for every `.example` host, with one handler that tests replace. */
export async function startSite() {
  let handler: RequestListener = (_request, response) => void response.end()
  const server = createServer((request, response) => handler(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    handle(listener: RequestListener): void {
      handler = listener
    },
    /** A browser that resolves `.example` hosts to this server; closed after the test. */
    async startBrowser(t: TestContext, options: Options = {}, path: string | null = program) {
      const logged: string[] = []
      const record = (facts: Readonly<Record<string, unknown>>, message: string) =>
        void logged.push([message, ...((facts['reason'] as string[] | undefined) ?? [])].join(' '))
      const browser = await createChromium({
        program: path,
        clock: systemClock,
        random: secureRandom,
        log: { debug: record, info: record, warn: record, error: record },
        resolve: async () => [],
        reach: (host, at) => (host.endsWith('.example') && at === 80 ? { address: '127.0.0.1', port } : undefined),
        // Tests may run as root, for whom Chromium has no sandbox; they visit their own pages.
        options: { timeoutMs: 60_000, lowPriority: false, sandbox: process.getuid?.() !== 0, ...options },
      })
      t.after(() => browser.close())
      return { ...browser, logged, warmUp: () => browser.ready(forever) }
    },
    /** A handler that holds each response until `respond` is called. */
    holdResponses(html: string) {
      const requested = Promise.withResolvers<void>()
      const go = Promise.withResolvers<void>()
      handler = (request, response) => {
        requested.resolve()
        void go.promise.then(() => page(html)(request, response))
      }
      return { requested: requested.promise, respond: go.resolve }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const page =
  (html: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        // A zombie has exited already.
        if (state === 'Z') return []
        return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
      } catch {
        return []
      }
    })

/** The process groups of the browsers that a process has started. */
export const browsersOf = (parent: number) =>
  processes()
    .filter((one) => one.parent === parent && one.group === one.pid && one.pid !== parent)
    .filter(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe'))
    .map(({ group }) => group)
export const membersOf = (group: number) => processes().filter((one) => one.group === group)
