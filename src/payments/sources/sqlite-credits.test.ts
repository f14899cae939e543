import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { creditContract } from '../../../test/support/credit-contract.ts'
import { sqliteLedger } from './sqlite-ledger.ts'

creditContract('in SQLite', {
  open(clock) {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-test-credits-'))
    const ledgers = [sqliteLedger({ folder, clock }), sqliteLedger({ folder, clock })] as const
    return {
      ledgers,
      end() {
        for (const ledger of ledgers) ledger.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
  walks: 100,
})
