import type { Child, Children } from '../children.ts'
import { PARTS } from './parts.ts'
import type { WorldPlaces } from './world.ts'

/** The sandbox has its trademark register ready a few seconds after the start. */
const READY_TIMEOUT_MS = 60_000

/** Starts the service on a simulated internet that runs. */
export async function startMixService(
  children: Children,
  { settings, folder }: WorldPlaces,
): Promise<{ readonly child: Child; readonly url: string }> {
  const child = children.start(new URL('../../bin/onoma.js', import.meta.url), {
    args: ['serve'],
    env: {
      ...settings,
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_LOG_LEVEL: 'info',
      ONOMA_RATE_LIMIT: '65535',
      ONOMA_DATA_DIR: `${folder}/bench-data`,
    },
  })
  const { url } = (await child.line('url')) as { url: string }
  return { child, url }
}

/** Waits until every part answers as expected once: indexes and feeds load in the background. */
export async function waitUntilReady(url: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  for (const part of PARTS) {
    const { path, body } = part.request(1_000_000)
    const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    for (;;) {
      const answer = await fetch(new URL(path, url), { ...init, signal: AbortSignal.timeout(READY_TIMEOUT_MS) })
      const text = await answer.text()
      if ((part.statuses ?? [200]).includes(answer.status)) break
      if (performance.now() > deadline) throw new Error(`${part.name} does not work: ${answer.status} ${text}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}
