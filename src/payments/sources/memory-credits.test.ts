import { creditContract } from '../../../test/support/credit-contract.ts'
import { memoryLedger } from './memory-ledger.ts'

creditContract('in memory', {
  open(clock) {
    const ledger = memoryLedger({ clock })
    return { ledgers: [ledger, ledger], end() {} }
  },
  walks: 1000,
})
