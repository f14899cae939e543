import type { Child, Children } from '../children.ts'
import type { InternetPlaces } from '../names/internet.ts'
import type { Attack, Target } from './attack.ts'
import type { LoopDelay, LoopDelayRequest } from './loop-delay.ts'

const FOLDER = new URL('.', import.meta.url)
const IMPORTS = [
  '--import',
  new URL('../names/network-guard.ts', FOLDER).href,
  '--import',
  new URL('loop-delay.ts', FOLDER).href,
]
const REQUEST_TIMEOUT_MS = 30_000

export type ServiceUnderAttack = {
  readonly target: Target
  readonly child: Child
  /** The longest time the event loop stood still since the last call. */
  longestStepMs(): Promise<number>
  stop(): Promise<void>
}

/** Starts a simulated internet and `onoma serve` with its default limits; addresses come in X-Forwarded-For. */
export async function startUnderAttack(
  children: Children,
  { internet = {}, env = {} }: Pick<Attack, 'internet' | 'env'>,
): Promise<ServiceUnderAttack> {
  const world = children.start(new URL('../names/internet.ts', FOLDER), { args: [JSON.stringify(internet)] })
  const { places } = (await world.line('places')) as { places: InternetPlaces }
  const child = children.start(new URL('../../bin/onoma.js', FOLDER), {
    args: ['serve'],
    nodeOptions: IMPORTS,
    env: {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: '0',
      ONOMA_SANDBOX: 'on',
      ONOMA_TRUSTED_PROXIES: '127.0.0.1',
      ...places.settings,
      ...env,
    },
  })
  const { url, metrics: metricsUrl } = (await child.line('url')) as { url: string; metrics: string }
  return {
    target: { url, metricsUrl, pid: child.pid },
    child,
    longestStepMs: async () =>
      (await child.ask<LoopDelay>({ ask: 'loop-delay' } satisfies LoopDelayRequest, REQUEST_TIMEOUT_MS)).maxMs,
    stop: async () => void (await Promise.all([child.stop(), world.stop()])),
  }
}
