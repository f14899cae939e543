import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { renameFile } from '../../kernel/files.ts'

type Recipients = Readonly<Record<string, string>>

const FILE_NAME = 'payments-recipients.json'

/**
 * Binds a recipient to a ledger, in the data directory. An x402 payment names only its recipient, so with a second ledger
 * for the same recipient it could be used once with each. Returns what is wrong, as a sentence for the operator.
 */
export function bindRecipient(folder: string, recipient: string, ledgerId: string): string | undefined {
  const path = join(folder, FILE_NAME)
  const address = recipient.toLowerCase()
  let known: Recipients
  try {
    known = readRecipients(path)
  } catch {
    return `The file ${path} cannot be read. Repair it, or restore a copy.`
  }
  const bound = known[address]
  if (bound === ledgerId) return undefined
  if (bound !== undefined) {
    return (
      `The recipient ${recipient} belongs to another payment ledger (${bound}), and payments to it could be used again. ` +
      `Put that payments.sqlite back, or set ONOMA_PAY_TO to a new address. If that ledger is lost, remove the recipient ` +
      `from ${path} when all payments signed for it have expired.`
    )
  }
  writeRecipients(path, { ...known, [address]: ledgerId })
  return undefined
}

function readRecipients(path: string): Recipients {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Recipients
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** A crash leaves the old file or the new one. */
function writeRecipients(path: string, recipients: Recipients): void {
  const draft = `${path}.new-${process.pid}`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(recipients, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameFile(draft, path)
}
