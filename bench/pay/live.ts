import { setTimeout as sleep } from 'node:timers/promises'
import type { Child, Children } from '../children.ts'
import type { NodeUrls } from './chains.ts'

export type LiveServer = { readonly server: Child; readonly url: string; stop(): Promise<void> }

export const LIVE_PAID = '/v1/sandbox/echo'
const READY_TIMEOUT_MS = 60_000

/** A server with payments as in live mode, and the chains in a process of their own. */
export async function startLiveServer(
  children: Children,
  { wallets, profile }: { readonly wallets: readonly string[]; readonly profile: string | undefined },
): Promise<LiveServer> {
  const chains = children.start(new URL('chains.ts', import.meta.url), { args: wallets })
  const { urls } = (await chains.line('urls')) as { urls: NodeUrls }
  const server = children.start(new URL('live-server.ts', import.meta.url), {
    args: [JSON.stringify(urls)],
    nodeOptions: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  })
  const { url } = (await server.line('url')) as { url: string }
  await untilForSale(url)
  return { server, url, stop: async () => void (await Promise.all([server.stop(), chains.stop()])) }
}

/** Payments are checked in the background after the start; until then the answer is 503. */
async function untilForSale(url: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  for (;;) {
    const answer = await fetch(url + LIVE_PAID)
    const text = await answer.text()
    if (answer.status === 402) return
    if (performance.now() > deadline) throw new Error(`Nothing is for sale: ${answer.status} ${text}`)
    await sleep(100)
  }
}
