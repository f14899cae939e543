import assert from 'node:assert/strict'
import { addEnsContracts } from '@ensdomains/ensjs'
import { createPublicClient, type Hex, http, numberToHex } from 'viem'
import { mainnet } from 'viem/chains'
import type * as z from 'zod'
import { ensMetadata, ensTransactionStatus } from '../../src/ens/contract/lookups.ts'
import { prepareEnsCommit, prepareEnsRegister } from '../../src/ens/contract/registration.ts'
import type { UnsignedTransaction } from '../../src/ens/contract/shapes.ts'
import type { Wallet } from '../support/ens.ts'
import { useService } from './chain.fixture.ts'

export const ensMainnet = addEnsContracts(mainnet)

type Transaction = z.output<typeof UnsignedTransaction>

/** A service on a real chain, with what a client does: prepare over HTTP, sign, send and wait. */
export function useLifecycle() {
  const setup = useService()

  const client = () => createPublicClient({ chain: ensMainnet, transport: http(setup.chain.url) })
  const balanceOf = (address: Hex) => client().getBalance({ address })
  const statusOf = (hash: string) => setup.ens.ask(ensTransactionStatus, { hash })

  /** Mines a block with this timestamp, however long the test takes. */
  const mineAt = async (seconds: number) => {
    await setup.chain.rpc('evm_setNextBlockTimestamp', [numberToHex(seconds)])
    await setup.chain.mine()
  }
  const chainTime = async () => Number((await client().getBlock()).timestamp)

  /** Sends a transaction and checks that it succeeds with the returned gas, which is the node's estimate plus 20%. */
  const sendAndConfirm = async (wallet: Wallet, transaction: Transaction) => {
    const { to, data, value, gas_estimate, gas_source } = transaction
    const call = { to: to as Hex, data: data as Hex, value: BigInt(value), account: wallet.address }
    const estimated = Number(await client().estimateGas(call))
    assert.equal(gas_source, 'node')
    assert.ok(gas_estimate >= estimated * 1.15 && gas_estimate <= estimated * 1.25, `${gas_estimate} for ${estimated}`)
    const before = await balanceOf(wallet.address)
    const { status, gas_used, effective_gas_price } = await statusOf(await wallet.send(transaction))
    assert.equal(status, 'confirmed')
    assert.ok(gas_used! <= gas_estimate)
    /** The ether paid, without gas. */
    return { paid: before - (await balanceOf(wallet.address)) - BigInt(gas_used!) * BigInt(effective_gas_price!) }
  }

  const commit = async (name: string, wallet: Wallet, more: { set_reverse_record?: boolean } = {}) => {
    const prepared = await setup.ens.ask(prepareEnsCommit, { name, owner: wallet.address, duration_years: 2, ...more })
    await sendAndConfirm(wallet, prepared.transaction)
    return prepared
  }

  const register = async (name: string, wallet: Wallet, more: { set_reverse_record?: boolean } = {}) => {
    const { registration_id } = await commit(name, wallet, more)
    await setup.chain.increaseTime(60)
    const prepared = await setup.ens.ask(prepareEnsRegister, { registration_id })
    return { ...prepared, ...(await sendAndConfirm(wallet, prepared.transaction)) }
  }

  const metadataOf = async (name: string) => {
    const metadata = await setup.ens.ask(ensMetadata, { name, refresh: true })
    assert.ok(!('results' in metadata))
    return metadata
  }

  return { setup, client, balanceOf, statusOf, mineAt, chainTime, sendAndConfirm, commit, register, metadataOf }
}
