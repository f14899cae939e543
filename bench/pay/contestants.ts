import type { Child, Children } from '../children.ts'
import type { Contestant } from '../contest.ts'
import type { Outgoing, OutgoingQuestion } from './outgoing.ts'

export const PEERS = ['@x402/hono', 'mppx/hono', 'mppx/hono, both'] as const
export const CONTESTANTS = ['onoma', ...PEERS] as const
export type ContestantName = (typeof CONTESTANTS)[number]

/** What is free and what is paid, in one process. */
export type Shop = {
  readonly child: Child
  readonly free: Contestant
  readonly paid: Contestant
  /** Only we have it. */
  readonly kept?: Contestant
}

/** Made anew for each request, like a 402: parameters are validated and JSON is serialized, without network calls. */
export const FREE = `/v1/register?domain=${'free'.repeat(15)}.com`
/** The cheapest answer there is: never made twice. */
export const CACHED_TARGET = '/v1/tlds?category=country'
export const PAID = '/v1/sandbox/echo?say=00000000'

const TIMEOUT_MS = 10_000
const COUNTING = ['--import', new URL('outgoing.ts', import.meta.url).href]

/** The headers in which a 402 says how it can be paid. */
const WORDS = { x402: 'payment-required', mpp: 'www-authenticate' } as const
type Protocols = readonly (keyof typeof WORDS)[]

/**
 * The service as anybody would start it, with its defaults but for the sandbox's paid endpoint, free ports and a quota
 * nothing here exceeds.
 */
export async function startOnoma(children: Children, profileFolder: string | undefined): Promise<Shop> {
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
  return openShop(child, ['x402', 'mpp'], CACHED_TARGET)
}

export async function startPeer(children: Children, who: (typeof PEERS)[number], freeBody: string): Promise<Shop> {
  const { file, args, protocols } = PEER_FILES[who]
  const env = { BENCH_BODY: freeBody, BENCH_FREE: FREE, BENCH_PAID: PAID }
  const shop = await openShop(children.start(file, { args, nodeOptions: COUNTING, env }), protocols)
  if (shop.free.body !== freeBody) throw new Error(`${who} does not send the same bytes.`)
  return shop
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

async function openShop(child: Child, protocols: Protocols, kept?: string): Promise<Shop> {
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
  const invitation = await ask(PAID, 402)
  for (const protocol of protocols) {
    if (!invitation.answer.headers.has(WORDS[protocol])) throw new Error(`A 402 does not speak ${protocol}.`)
  }
  return {
    child,
    free: { child, port, body },
    paid: { child, port, body: invitation.body },
    ...(kept !== undefined && { kept: { child, port, body: (await ask(kept, 200)).body } }),
  }
}

/** How much a contestant has asked of others since its start. */
export const outgoing = async ({ child }: Pick<Shop, 'child'>): Promise<number> =>
  (await child.ask<Outgoing>({ ask: 'outgoing' } satisfies OutgoingQuestion, TIMEOUT_MS)).outgoing
