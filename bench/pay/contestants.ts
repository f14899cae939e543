import type { Child, Children } from '../children.ts'
import type { Contestant } from '../contest.ts'
import type { Outgoing, OutgoingRequest } from './outgoing.ts'

export const PEERS = ['@x402/hono', 'mppx/hono', 'mppx/hono, both'] as const
export const CONTESTANTS = ['onoma', ...PEERS] as const
export type ContestantName = (typeof CONTESTANTS)[number]

/** A server process with a free and a paid endpoint. */
export type PaidServer = {
  readonly child: Child
  readonly free: Contestant
  readonly paid: Contestant
  /** A cached 200; Onoma only. */
  readonly kept?: Contestant
}

/** Made anew for each request, like a 402: parameters are validated and JSON is serialized, without network calls. */
export const FREE = `/v1/register?domain=${'free'.repeat(15)}.com`
/** The cheapest response: serialized once. */
export const CACHED_TARGET = '/v1/tlds?category=country'
export const PAID = '/v1/sandbox/echo?say=00000000'

const TIMEOUT_MS = 10_000
const COUNTING = ['--import', new URL('outgoing.ts', import.meta.url).href]

/** The header of each protocol in a 402. */
const CHALLENGE_HEADERS = { x402: 'payment-required', mpp: 'www-authenticate' } as const
type Protocols = readonly (keyof typeof CHALLENGE_HEADERS)[]

/**
 * The service with its defaults, except for the sandbox's paid endpoint, free ports and a rate limit that is never reached.
 */
export async function startOnoma(children: Children, profileFolder: string | undefined): Promise<PaidServer> {
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const child = children.start(new URL('../../bin/onoma.js', import.meta.url), {
    args: ['serve'],
    nodeOptions: [...COUNTING, ...profiling],
    env: {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: '0',
      ONOMA_LOG_LEVEL: 'info',
      ONOMA_RATE_LIMIT: '65535',
      ONOMA_SANDBOX: 'on',
    },
  })
  return openPaidServer(child, ['x402', 'mpp'], CACHED_TARGET)
}

export async function startPeer(
  children: Children,
  who: (typeof PEERS)[number],
  freeBody: string,
): Promise<PaidServer> {
  const { file, args, protocols } = PEER_FILES[who]
  const env = { BENCH_BODY: freeBody, BENCH_FREE: FREE, BENCH_PAID: PAID }
  const server = await openPaidServer(children.start(file, { args, nodeOptions: COUNTING, env }), protocols)
  if (server.free.body !== freeBody) throw new Error(`${who} does not send the same bytes.`)
  return server
}

type PeerFile = { readonly file: URL; readonly args: readonly string[]; readonly protocols: Protocols }
const PEER_FILES: Readonly<Record<(typeof PEERS)[number], PeerFile>> = {
  '@x402/hono': { file: new URL('peers/x402-hono.ts', import.meta.url), args: [], protocols: ['x402'] },
  'mppx/hono': { file: new URL('peers/mppx-hono.ts', import.meta.url), args: [], protocols: ['mpp'] },
  'mppx/hono, both': {
    file: new URL('peers/mppx-hono.ts', import.meta.url),
    args: ['both'],
    protocols: ['x402', 'mpp'],
  },
}

async function openPaidServer(child: Child, protocols: Protocols, kept?: string): Promise<PaidServer> {
  const url = String((await child.line('url'))['url'])
  const port = Number(new URL(url).port)
  const ask = async (target: string, status: number) => {
    const headers = { accept: 'application/json' }
    const answer = await fetch(`${url}${target}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = await answer.text()
    if (answer.status !== status) throw new Error(`${url}${target} answered ${answer.status}: ${body}`)
    return { answer, body }
  }
  const { body } = await ask(FREE, 200)
  const challenge = await ask(PAID, 402)
  for (const protocol of protocols) {
    if (!challenge.answer.headers.has(CHALLENGE_HEADERS[protocol]))
      throw new Error(`A 402 has no challenge for ${protocol}.`)
  }
  return {
    child,
    free: { child, port, body },
    paid: { child, port, body: challenge.body },
    ...(kept !== undefined && { kept: { child, port, body: (await ask(kept, 200)).body } }),
  }
}

/** Outgoing requests of a contestant since its start. */
export const outgoing = async ({ child }: Pick<PaidServer, 'child'>): Promise<number> =>
  (await child.ask<Outgoing>({ ask: 'outgoing' } satisfies OutgoingRequest, TIMEOUT_MS)).outgoing
