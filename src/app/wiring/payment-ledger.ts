import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { PrunableLedger } from '../../payments/sources/retention.ts'
import { bindRecipient } from '../../payments/sources/recipients.ts'
import { openSqliteLedger } from '../../payments/sources/sqlite-ledger.ts'
import type { Config } from '../settings/config.ts'

/** A ledger that may not be open yet: its file is locked, damaged or on a disk that is not there. */
export type LedgerSlot = {
  /** Resolves when it is open, which may be never. */
  readonly opened: Promise<PrunableLedger>
  /** Tries to open it. Returns sentences for clients about what is wrong; the log has the details. */
  open(): Promise<readonly string[]>
  close(): void
}

type Needs = { readonly config: Pick<Config, 'dataDir' | 'payments'>; readonly clock: Clock; readonly log: Log }

export const openedLedger = (ledger: PrunableLedger): LedgerSlot => ({
  opened: Promise.resolve(ledger),
  open: async () => [],
  close: () => ledger.close(),
})

/** Keeps the ledger in a file of the data folder. It is never replaced: it records which payments were used. */
export function ledgerInFile({ config, clock, log }: Needs, ending: AbortSignal): LedgerSlot {
  const { promise, resolve } = Promise.withResolvers<PrunableLedger>()
  let ledger: PrunableLedger | undefined
  let lastMessage = ''
  return {
    opened: promise,
    async open() {
      ending.throwIfAborted()
      try {
        ledger ??= await openSqliteLedger({ folder: config.dataDir, clock })
        if (ending.aborted) ledger.close()
        ending.throwIfAborted()
        const problem = bindRecipient(config.dataDir, config.payments.payTo!, ledger.id)
        if (problem !== undefined) throw new Error(problem)
        resolve(ledger)
        return []
      } catch (error) {
        // Once per change; the path is for the log only.
        const message = error instanceof Error ? error.message : String(error)
        if (message !== lastMessage) log.error({ error }, 'The payment ledger cannot be opened; it is retried.')
        lastMessage = message
        return ['It cannot be used.']
      }
    },
    close: () => ledger?.close(),
  }
}
