import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import { serveHttp } from '../http-server.ts'
import { OK, type Outcome } from '../outcome.ts'
import { jsonAnswer } from '../play-http.ts'
import type { Wait } from '../simulator.ts'
import { ADMIN, NEIGHBOUR, WALLET } from './accounts.ts'

export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** An Ethereum node with an empty chain. It runs in this process, so it cannot outlive it. */
export type Node = {
  /** JSON-RPC over HTTP. */
  readonly url: string
  /** A second URL of the same chain, for clients that compare two nodes. */
  readonly secondUrl: string
  /** JSON-RPC without HTTP. Throws an error with the `code` and `data` of the node's error. */
  readonly rpc: Rpc
  /** The number of HTTP requests; a batch counts as one. */
  posts(): number
  /** Sets the outcome of all further HTTP requests; initially `ok`. */
  behave(outcome: Outcome): void
  stop(): Promise<void>
}

type Options = {
  /** Time of the first block. */
  readonly genesis: Date
  readonly wait: Wait
  /** Default 1, Ethereum mainnet. */
  readonly chainId?: number
}

const ETHER = 10n ** 18n

export async function startNode({ genesis, wait, chainId = 1 }: Options): Promise<Node> {
  // Hardhat sends error reports to its makers when standard output is a terminal.
  process.env['HARDHAT_DISABLE_TELEMETRY'] = 'true'
  const hardhat = await createHardhatRuntimeEnvironment({
    networks: {
      mainnet: {
        type: 'edr-simulated',
        chainType: 'l1',
        chainId,
        networkId: chainId,
        initialDate: genesis,
        accounts: [WALLET, NEIGHBOUR, ADMIN].map(({ privateKey }) => ({ privateKey, balance: 10_000n * ETHER })),
        // As on mainnet: a failing transaction is accepted, and its receipt has the failure.
        throwOnTransactionFailures: false,
      },
    },
  })
  const connection = await hardhat.network.create({ network: 'mainnet', chainType: 'l1' })
  const rpc: Rpc = (method, params = []) => connection.provider.request({ method, params: [...params] })
  let posts = 0
  let outcome = OK
  const serve = () =>
    serveHttp(
      async ({ body }) => {
        posts += 1
        return { outcome, answer: jsonAnswer(await respondToAll(rpc, body)) }
      },
      { wait },
    )
  const [server, second] = [await serve(), await serve()]
  return {
    url: server.url,
    secondUrl: second.url,
    rpc,
    posts: () => posts,
    behave(wanted) {
      outcome = wanted
    },
    async stop() {
      await server.stop()
      await second.stop()
      // Otherwise the interval timer keeps the process alive.
      await rpc('evm_setIntervalMining', [0])
      await connection.close()
    },
  }
}

async function respondToAll(rpc: Rpc, body: string): Promise<object> {
  const asked = JSON.parse(body) as Request | Request[]
  return Array.isArray(asked) ? Promise.all(asked.map((request) => respond(rpc, request))) : respond(rpc, asked)
}

type Request = { readonly id?: unknown; readonly method: string; readonly params?: readonly unknown[] }

async function respond(rpc: Rpc, { id = null, method, params = [] }: Request): Promise<object> {
  try {
    return { jsonrpc: '2.0', id, result: await rpc(method, params) }
  } catch (error) {
    const { code = -32603, message, data } = error as Error & { code?: number; data?: unknown }
    // Mainnet nodes return only the revert bytes as data.
    return { jsonrpc: '2.0', id, error: { code, message, ...(typeof data === 'string' && { data }) } }
  }
}
