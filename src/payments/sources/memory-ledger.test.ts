import { ledgerContract } from '../../../test/support/ledger-contract.ts'
import { memoryLedger } from './memory-ledger.ts'

ledgerContract('in memory', {
  open(clock) {
    const ledger = memoryLedger({ clock })
    return { ledgers: [ledger, ledger], end() {} }
  },
  walks: 1000,
})
