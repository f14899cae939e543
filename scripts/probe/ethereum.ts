import type { Config } from '../../src/app/settings/config.ts'
import { openEthereum, PUBLIC_NODES } from '../../src/app/wiring/ethereum.ts'
import type { Outbound } from '../../src/app/wiring/outbound.ts'
import { nameStateRead, readContracts } from '../../src/ens/chain/contract-reads.ts'
import { parseEnsName } from '../../src/ens/contract/names.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Log } from '../../src/kernel/log.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

type Needs = {
  readonly config: Config
  readonly outbound: Outbound
  readonly clock: Clock
  readonly log: Log
  /** A registered ENS name, without `.eth`. */
  readonly takenName: string
}

/** Each Ethereum node reads the state of a registered ENS name, in one request. */
export const ethereumProbes = (needs: Needs): Probe[] =>
  (needs.config.ethRpcUrls ?? PUBLIC_NODES).map((url) => ({
    group: 'Ethereum',
    provider: 'JSON-RPC node',
    host: new URL(url).host,
    async run(recorder, signal) {
      const config: Config = { ...needs.config, ethRpcUrls: [url] }
      const ethereum = openEthereum({ ...needs, config, outbound: recorder.outbound(needs.outbound) })
      const name = parseEnsName(needs.takenName)
      if (!name.ok) throw new Error(`${needs.takenName} is not an ENS name.`)
      try {
        const [{ now, owner, phase }] = await readContracts(
          ethereum.chain,
          [nameStateRead(ethereum.contracts, name.name)],
          signal,
        )
        if (owner === undefined) throw new UnexpectedShape(`${needs.takenName}.eth is registered, and has no owner.`)
        return `${needs.takenName}.eth is ${phase}; the block is of ${new Date(now * 1000).toISOString()}`
      } finally {
        await ethereum.close()
      }
    },
  }))
