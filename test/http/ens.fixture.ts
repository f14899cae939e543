import type { Chain } from '../../src/ens/chain/chain.ts'
import { MAINNET } from '../../src/ens/chain/deployments.ts'
import { createRegistrationTokens } from '../../src/ens/transactions/registration-token.ts'
import { ensListenerRoutes, ensRoutes } from '../../src/ens/routes.ts'
import { createEns } from '../../src/ens/service.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { startDoor } from '../support/door.ts'

export const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const TX_HASH = `0x${'ab'.repeat(32)}`

/** The smallest valid input of each endpoint. */
export const VALID_INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/v1/ens/check': { name: 'example' },
  '/v1/ens/metadata': { name: 'example' },
  '/v1/ens/health': {},
  '/v1/ens/tx/status': { hash: TX_HASH },
  '/v1/ens/premium': { name: 'example' },
  '/v1/ens/records': { name: 'example' },
  '/v1/ens/expiry': { name: 'example' },
  '/v1/ens/register/check': { name: 'example' },
  '/v1/ens/register/prepare-commit': { name: 'example', owner: OWNER },
  '/v1/ens/register/prepare-register': { registration_id: 'an-id' },
  '/v1/ens/records/prepare-update': { name: 'example', owner: OWNER, text: { url: 'https://example.com' } },
  '/v1/ens/renew/prepare': { name: 'example' },
}
export const POST_PATHS = Object.keys(VALID_INPUTS).filter((path) => /\/register\/|prepare/.test(path))

export type Body = { readonly error: string; readonly message: string; readonly [field: string]: unknown }

/** Serves the ENS routes, and those of the second listener, over the given chain. */
export async function openDoors(chain: Chain, options: { readonly rateLimit?: number } = {}) {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const tokens = createRegistrationTokens({ keys: [Buffer.from('a key of the test')], clock, random: secureRandom })
  const ens = createEns({ chain, contracts: MAINNET, tokens, clock, random: secureRandom })
  const routes = ensRoutes({ ens, clock })
  const door = await startDoor(routes, options)
  const listener = await startDoor(ensListenerRoutes({ ens, clock }))
  const post = async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const reply = await door.get(path, { method: 'POST', body, headers })
    return { ...reply, body: reply.body as Body }
  }
  return {
    routes,
    tokens,
    clock,
    door,
    listener,
    post,
    async ask(path: string, input: Readonly<Record<string, unknown>>) {
      if (POST_PATHS.includes(path)) return post(path, JSON.stringify(input), { 'content-type': 'application/json' })
      const parameters = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)])
      const reply = await door.get(`${path}?${String(new URLSearchParams(parameters))}`)
      return { ...reply, body: reply.body as Body }
    },
    async stop() {
      await door.stop()
      await listener.stop()
    },
  }
}

export type Doors = Awaited<ReturnType<typeof openDoors>>

/** A chain whose node never answers, the methods called, and the error they fail with, which a test may change. */
export function unreachableChain() {
  const calls: string[] = []
  const state = { calls, failure: new UpstreamError('unavailable', 'node.example with the key k3y is down') }
  const fail = (method: string) => () => {
    calls.push(method)
    return Promise.reject(state.failure)
  }
  const chain: Chain = {
    read: fail('read'),
    readAgreed: fail('readAgreed'),
    readWithGasPrice: fail('readWithGasPrice'),
    simulate: fail('simulate'),
    transaction: fail('transaction'),
  }
  return Object.assign(state, { chain })
}
