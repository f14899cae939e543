import type { SignatureEnvelope as Signatures, TxEnvelopeTempo as Envelopes } from 'ox/tempo'
import { keccak256 } from '../../kernel/ethereum/bytes.ts'
import type { Hex } from '../scheme.ts'
import { TRANSACTION_REJECTED, RpcFault } from './rpc.ts'
import type { TempoCall } from './tip20.ts'

/** A Tempo transaction (type 0x76) with the fields the simulated chain uses. Its signatures are valid. */
export type TempoTransaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly chainId: number
  readonly calls: readonly TempoCall[]
  /** Independent of the form of the signature; the chain accepts it once. */
  readonly replayKey: Hex
  readonly nonceKey: bigint
  readonly nonce: bigint
  readonly validBefore: number | undefined
  readonly validAfter: number
  readonly gas: bigint
  readonly maxFee: bigint
  readonly feeToken: string | undefined
  /** The access key that signed for the account. */
  readonly accessKey: Hex | undefined
  /** The access key that the account authorizes in this transaction. */
  readonly authorizedKey: { readonly keyId: Hex; readonly expiry: number | undefined } | undefined
}

const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
export const EXPIRING_NONCE_KEY = 2n ** 256n - 1n

/** Throws RpcFault if the chain would refuse it, or if it uses a feature that is not simulated. */
export async function parseTempoTransaction(raw: Hex): Promise<TempoTransaction> {
  if (!raw.startsWith('0x76')) throw refused('transaction type not supported: only Tempo transactions are simulated')
  // Imported on demand: only simulated payments need it.
  const { KeyAuthorization, SignatureEnvelope, TxEnvelopeTempo } = await import('ox/tempo')
  const transaction = attempt(() => TxEnvelopeTempo.deserialize(raw as `0x76${string}`))
  if (!transaction?.signature) throw refused('invalid transaction: it cannot be decoded')
  const { signature, calls, validBefore, validAfter = 0, nonceKey = 0n, nonce = 0n, chainId } = transaction
  if (transaction.feePayerSignature !== undefined || transaction.authorizationList?.length) {
    throw refused('sponsors and authorizations are not simulated')
  }
  if (nonceKey === EXPIRING_NONCE_KEY) {
    if (nonce !== 0n) throw refused('Expiring nonce transactions must have nonce == 0')
    if (validBefore === undefined) throw refused("Expiring nonce transactions must have 'valid_before' set")
  }
  if (calls.some(({ to, value = 0n }) => !to || value !== 0n)) throw refused('invalid transaction: value transfer')
  const unsigned = { ...transaction, signature: undefined } as Envelopes.TxEnvelopeTempo
  const { from, accessKey } = verifySender(unsigned, signature, { SignatureEnvelope, TxEnvelopeTempo })
  const { keyAuthorization } = transaction
  if (keyAuthorization) {
    const payload = KeyAuthorization.getSignPayload(keyAuthorization)
    const isSigned = verify(SignatureEnvelope, keyAuthorization.signature, payload, from)
    if (!isSigned) throw refused('invalid key authorization: not signed by the account')
  }
  return {
    // Nodes hash the canonical form, whichever form was sent.
    hash: keccak256(TxEnvelopeTempo.serialize(transaction)),
    from,
    chainId,
    calls: calls.map(({ to, data = '0x' }) => ({ to: (to as string).toLowerCase() as Hex, data })),
    replayKey: keccak256(`${TxEnvelopeTempo.getSignPayload(unsigned)}${from.slice(2)}` as Hex),
    nonceKey,
    nonce,
    validBefore,
    validAfter,
    gas: transaction.gas ?? 0n,
    maxFee: transaction.maxFeePerGas ?? 0n,
    feeToken: transaction.feeToken === undefined ? undefined : String(transaction.feeToken),
    accessKey,
    authorizedKey: keyAuthorization && {
      keyId: lower(keyAuthorization.address),
      expiry: keyAuthorization.expiry ?? undefined,
    },
  }
}

type Library = { readonly SignatureEnvelope: typeof Signatures; readonly TxEnvelopeTempo: typeof Envelopes }

function verifySender(
  unsigned: Envelopes.TxEnvelopeTempo,
  signature: Signatures.SignatureEnvelope,
  { SignatureEnvelope, TxEnvelopeTempo }: Library,
): { from: Hex; accessKey: Hex | undefined } {
  if (signature.type === 'multisig') throw refused('multisig is not simulated')
  if (signature.type === 'keychain') {
    if (signature.version !== 'v2') throw refused('invalid signature: legacy keychain signature')
    const payload = TxEnvelopeTempo.getSignPayload(unsigned, { from: signature.userAddress })
    const accessKey = extract(SignatureEnvelope, signature.inner, payload)
    return { from: lower(signature.userAddress), accessKey }
  }
  return {
    from: extract(SignatureEnvelope, signature, TxEnvelopeTempo.getSignPayload(unsigned)),
    accessKey: undefined,
  }
}

/** The address of the key. Extracting it proves nothing for P256 and passkeys, so the signature is verified, too. */
function extract(library: typeof Signatures, signature: Signatures.SignatureEnvelope, payload: Hex): Hex {
  if (signature.type === 'secp256k1' && signature.signature.s > MAX_S) {
    throw refused('invalid signature: s is in the upper half')
  }
  const address = attempt(() => library.extractAddress({ payload, signature }))
  if (!address || !verify(library, signature, payload, address)) throw refused('invalid signature')
  return lower(address)
}

const verify = (library: typeof Signatures, signature: Signatures.SignatureEnvelope, payload: Hex, address: string) =>
  attempt(() => library.verify(signature, { payload, address: address as Hex })) === true

const lower = (address: string): Hex => address.toLowerCase() as Hex
const refused = (message: string) => new RpcFault(TRANSACTION_REJECTED, message)

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
