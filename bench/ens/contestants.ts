import { isDeepStrictEqual } from 'node:util'
import { decodeContenthash } from '../../src/ens/reading/contenthash.ts'
import type { Child, Children } from '../children.ts'
import type { Metadata } from './peer-server.ts'

export const CONTESTANTS = ['onoma', 'ensjs', 'viem batched', 'viem one by one'] as const
export type ContestantName = (typeof CONTESTANTS)[number]

export type Contestant = {
  readonly child: Child
  readonly url: string
  /** Path and query for a name; never answered from a cache. */
  target(name: string): string
}
export type Contestants = Readonly<Record<ContestantName, Contestant>>

const REQUEST_TIMEOUT_MS = 20_000

export async function startContestants(
  children: Children,
  rpcUrl: string,
  profileFolder: string | undefined,
): Promise<Contestants> {
  const bare = (file: URL) => contestant(children.start(file, { env: { BENCH_RPC_URL: rpcUrl } }), plainTarget)
  const [onoma, ensjs, batched, oneByOne] = await Promise.all([
    startOnoma(children, rpcUrl, profileFolder),
    bare(new URL('ensjs.ts', import.meta.url)),
    bare(new URL('viem-batched.ts', import.meta.url)),
    bare(new URL('viem-one-by-one.ts', import.meta.url)),
  ])
  return { onoma, ensjs, 'viem batched': batched, 'viem one by one': oneByOne }
}

export const stopContestants = (contestants: Contestants): Promise<unknown> =>
  Promise.all(Object.values(contestants).map(({ child }) => child.stop()))

const plainTarget = (name: string): string => `/metadata?name=${name}`

/**
 * Starts the service with its defaults, except for free ports, the node, the highest rate limit, and trust in the
 * generator's X-Forwarded-For. `refresh` bypasses its cache.
 */
function startOnoma(children: Children, rpcUrl: string, profileFolder: string | undefined): Promise<Contestant> {
  const child = children.start(new URL('../../bin/onoma.js', import.meta.url), {
    args: ['serve'],
    nodeOptions: profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`],
    env: {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: '0',
      ONOMA_LOG_LEVEL: 'info',
      ONOMA_RATE_LIMIT: '65535',
      ONOMA_TRUSTED_PROXIES: '127.0.0.0/8',
      ONOMA_ETH_RPC_URLS: rpcUrl,
    },
  })
  return contestant(child, (name) => `/v1/ens/metadata?name=${name}&refresh=true`)
}

async function contestant(child: Child, target: Contestant['target']): Promise<Contestant> {
  const { url } = await child.line('url')
  return { child, url: String(url), target }
}

/** Requests every name from every contestant. Throws unless all of them return the same metadata. */
export async function assertSameMetadata(contestants: Contestants, names: readonly string[]): Promise<void> {
  for (const name of names) {
    let expected: unknown
    for (const who of CONTESTANTS) {
      const { url, target } = contestants[who]
      const response = await fetch(url + target(name), { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
      if (response.status !== 200) throw new Error(`${who} answered ${response.status}: ${await response.text()}`)
      const metadata = comparable((await response.json()) as MetadataResponse)
      expected ??= metadata
      if (!isDeepStrictEqual(metadata, expected)) {
        throw new Error(`${who} returned ${JSON.stringify(metadata)} instead of ${JSON.stringify(expected)}.`)
      }
    }
  }
}

type MetadataResponse = Metadata & { readonly name: string }

/** The fields about the name, with the content hash as a URI: ensjs has it in no other form. */
function comparable({ name, owner, resolver, address, records }: MetadataResponse) {
  const { contenthash } = records
  const content = contenthash.startsWith('0x') ? decodeContenthash(contenthash as `0x${string}`) : undefined
  const uri = content?.ok ? `${content.protocol}://${content.value}` : contenthash
  return { name, owner, resolver, address, records: { ...records, contenthash: uri } }
}
