/**
 * Registers an ENS name with the HTTP API and a wallet:
 *
 *   npm run example:ens -- NAME --api URL --rpc URL [--years N]
 *
 * `--rpc` is the node to which the wallet sends signed transactions. The private key comes from PRIVATE_KEY. The default
 * is a public test key, whose wallet has ether only in the sandbox.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createWalletClient, defineChain, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The well-known private key of the first account on development chains. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

const POLL_INTERVAL_MS = 5_000
/** Added to the minimum wait, because the time of the chain is that of its last block. */
const MARGIN_SECONDS = 5

export type RegistrationOrder = {
  readonly name: string
  readonly years: number
  readonly api: string
  readonly rpc: string
  readonly key: Hex
  /** Tests pass one that returns at once. */
  readonly wait?: (ms: number) => Promise<unknown>
  readonly print?: (line: string) => void
}

type Transaction = { to: Hex; data: Hex; value: Hex; gas_estimate: number; decoded: { summary: string } }
type ErrorBody = { error: string; message: string }

export async function register({
  name,
  years,
  api,
  rpc,
  key,
  wait = sleep,
  print = console.log,
}: RegistrationOrder): Promise<Hex> {
  const account = privateKeyToAccount(key)
  const chain = defineChain({
    id: 1,
    name: 'Ethereum',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpc] } },
  })
  const wallet = createWalletClient({ account, chain, transport: http(rpc) })

  const call = async <Body>(path: string, body?: object): Promise<Body> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(api + path, body && { method: 'POST', headers, body: JSON.stringify(body) })
    const reply = (await response.json()) as Body & ErrorBody
    if (!response.ok) throw new Error(`${reply.error}: ${reply.message}`)
    return reply
  }

  const signAndSend = async ({ to, data, value, gas_estimate, decoded }: Transaction): Promise<Hex> => {
    print(`signing: ${decoded.summary}`)
    const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gas_estimate) })
    for (;;) {
      const { status } = await call<{ status: string }>(`/v1/ens/tx/status?hash=${hash}`)
      print(`${hash} is ${status}`)
      if (status === 'failed') throw new Error(`${hash} failed on the chain`)
      if (status === 'confirmed') return hash
      await wait(POLL_INTERVAL_MS)
    }
  }

  const commit = await call<{ registration_id: string; min_wait_seconds: number; transaction: Transaction }>(
    '/v1/ens/register/prepare-commit',
    { name, owner: account.address, duration_years: years },
  )
  await signAndSend(commit.transaction)
  print(`waiting ${commit.min_wait_seconds} seconds: ENS requires it, so that nobody can register the name before you`)
  await wait((commit.min_wait_seconds + MARGIN_SECONDS) * 1000)
  const { registration_id } = commit
  const { transaction } = await call<{ transaction: Transaction }>('/v1/ens/register/prepare-register', {
    registration_id,
  })
  const hash = await signAndSend(transaction)
  const { expires_at } = await call<{ expires_at: string }>(`/v1/ens/expiry?name=${name}`)
  print(`${name}.eth belongs to ${account.address} until ${expires_at}`)
  return hash
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      api: { type: 'string', default: 'http://127.0.0.1:8080' },
      rpc: { type: 'string', default: 'http://127.0.0.1:8545' },
      years: { type: 'string', default: '1' },
    },
  })
  const [name] = positionals
  if (name === undefined) {
    console.error('usage: npm run example:ens -- NAME --api URL --rpc URL [--years N]')
    process.exit(2)
  }
  const key = (process.env['PRIVATE_KEY'] ?? SANDBOX_KEY) as Hex
  try {
    await register({ name, years: Number(values.years), api: values.api, rpc: values.rpc, key })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
