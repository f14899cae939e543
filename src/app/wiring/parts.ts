import { randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, open, rm, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findDatabaseProblem } from '../../auctions/sources/inspect-database.ts'
import { findSalesProblem } from '../../valuation/sources/sales-file.ts'
import type { Part, PartState } from '../readiness.ts'
import type { Config } from '../settings/config.ts'
import { auctionsFile } from './auctions.ts'
import { keyProblem } from './keys.ts'
import type { BrowserWiring } from './browser.ts'
import type { Payments } from './payments.ts'

/** A little is needed at any time: keys, the ledger, screenshots. */
const MIN_FREE_BYTES = 16 * 1024 * 1024
const OK = { status: 'ok' } as const satisfies PartState

type Needs = {
  readonly config: Config
  /** Why the auctions cannot be searched; null if they can, or were not searched yet. Null if no feed is configured. */
  readonly auctions: { problem(): string | null } | null
  /** Why imported sales could not be used the last time. */
  readonly sales: { problem(): string | null }
  readonly trademarks: { isOff(): boolean; problem(): string | null; start(): Promise<void> }
  readonly browser: Pick<BrowserWiring, 'isInstalled' | 'whyForbidden'>
  readonly resolvers: Probe
  readonly nameServers: Probe
  readonly https: Probe
  readonly ethereum: Probe
}

/** Asks an upstream whether it answers; may return a note for the operator. Throws if it does not answer. */
export type Probe = (signal: AbortSignal) => Promise<string | undefined | void>

/** What an upstream fails with, and what the operator can do about this very failure. */
export class ProbeError extends Error {
  readonly advice: string

  constructor(reason: string, advice: string) {
    super(reason)
    this.advice = advice
  }
}

/** The parts of the service that can fail while the rest works. Reasons are public, so they name no path. */
export function createParts(needs: Needs): Part[] {
  const { config, auctions, trademarks, browser } = needs
  return [
    { name: 'disk', isRequired: true, check: () => checkDisk(config.dataDir) },
    {
      name: 'keys',
      isRequired: true,
      check() {
        const reason = keyProblem(config)
        return reason === undefined
          ? OK
          : failed(reason, 'Let the user of the service read the file `keys` in ONOMA_DATA_DIR, or set ONOMA_KEYS.')
      },
    },
    {
      name: 'auctions',
      isRequired: true,
      check() {
        if (auctions === null) return off('No auction feed is configured.')
        const problem = auctions.problem() ?? findDatabaseProblem(auctionsFile(config.dataDir))
        return problem === null
          ? OK
          : failed(
              `The file of the auctions cannot be used: ${problem}.`,
              'Look at auctions.sqlite in ONOMA_DATA_DIR. It can be moved away: the feeds fill a new one.',
            )
      },
    },
    {
      name: 'sales',
      // Valuations compare with the bundled sales then.
      isRequired: false,
      check() {
        const problem = needs.sales.problem() ?? findSalesProblem(config.dataDir)
        return problem === null
          ? OK
          : failed(
              `The imported sales cannot be used: ${problem}.`,
              'Look at sales.sqlite in ONOMA_DATA_DIR. `onoma sales import` moves a damaged file aside and begins a new one.',
            )
      },
    },
    {
      name: 'trademarks',
      isRequired: true,
      async check() {
        if (!trademarks.isOff()) await trademarks.start()
        const problem = trademarks.problem()
        if (problem !== null)
          return failed(
            problem,
            'Restore the folder ONOMA_TRADEMARK_INDEX from a copy, or move it away and import again.',
          )
        return trademarks.isOff()
          ? off('No trademark index is loaded; `onoma trademark fetch` says what one needs.')
          : OK
      },
    },
    {
      name: 'browser',
      isRequired: config.chromium !== null,
      check() {
        const forbidden = browser.whyForbidden()
        if (browser.isInstalled()) return forbidden === null ? OK : off(`No page is visited: ${forbidden}.`)
        return config.chromium === null
          ? off('There is no browser on this machine; /v1/intel answers 503. `onoma browser install` downloads one.')
          : failed('The configured browser is not there.', 'ONOMA_CHROMIUM must name a Chromium that can be run.')
      },
    },
    external('resolvers', needs.resolvers, 'Set ONOMA_DNS_SERVERS to resolvers that this machine can reach.'),
    external('https', needs.https, 'Allow outgoing TCP port 443, or set HTTPS_PROXY.'),
    external(
      'name servers',
      needs.nameServers,
      'Allow outgoing UDP and TCP port 53. Until then resolvers are asked, which cannot prove that a name is available.',
    ),
    external('ethereum', needs.ethereum, 'Set ONOMA_ETH_RPC_URLS to two nodes of Ethereum mainnet.'),
  ]
}

/** The parts that real payments need. */
export function paymentParts({ mode, waysToPay, whyNotReady }: Payments, publicUrl: string): Part[] {
  const check = (id: Parameters<Payments['whyNotReady']>[0], advice: string) => (): PartState => {
    if (mode !== 'live') return off(`Payments are ${mode}.`)
    const why = whyNotReady(id)
    return why === undefined ? OK : failed(why.reason, advice)
  }
  const offered = waysToPay(publicUrl)
  const isOffered = (method: string) => offered.some((way) => way.method === method)
  const advice = '`onoma payments check` says what is wrong.'
  return [
    { name: 'ledger', isRequired: true, check: check('ledger', LEDGER_ADVICE) },
    ...(isOffered('x402') ? [{ name: 'x402', isRequired: false, check: check('x402', advice) }] : []),
    ...(isOffered('tempo') ? [{ name: 'mpp', isRequired: false, check: check('mpp', advice) }] : []),
  ]
}

export const LEDGER_ADVICE =
  'The ledger is never replaced, because it records which payments were used: repair payments.sqlite or restore a copy.'

/** An outage outside concerns every instance alike, so it does not make this one unready. */
const external = (name: string, probe: Probe, advice: string): Part => ({
  name,
  isRequired: false,
  isSlow: true,
  async check(signal) {
    try {
      const note = await probe(signal)
      return typeof note === 'string' ? { ...OK, note } : OK
    } catch (error) {
      if (error instanceof ProbeError) return failed(error.message, error.advice)
      return failed(error instanceof Error ? error.message : String(error), advice)
    }
  },
})

/** Writes and removes a small file: this fails on a disk that is full or read-only. */
async function checkDisk(folder: string): Promise<PartState> {
  const path = join(folder, `.probe-${randomUUID()}`)
  const advice = 'Free some space, or let the user of the service write the folder ONOMA_DATA_DIR.'
  try {
    // The service creates it, as its own user.
    if (!existsSync(folder)) return await access(closestFolder(resolve(folder)), constants.W_OK).then(() => OK)
    const file = await open(path, 'wx')
    try {
      await file.writeFile(Buffer.alloc(4096))
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize >= MIN_FREE_BYTES ? OK : failed('The disk of the data directory is almost full.', advice)
  } catch (error) {
    return failed(`The data directory cannot be written (${(error as NodeJS.ErrnoException).code}).`, advice)
  }
}

/** The folder itself, or the first one above it that exists. */
const closestFolder = (path: string): string => (existsSync(path) ? path : closestFolder(dirname(path)))

const off = (reason: string): PartState => ({ status: 'off', reason })
const failed = (reason: string, advice: string): PartState => ({ status: 'failed', reason, advice })
