import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import * as ensjs from '@ensdomains/ensjs/contracts'
import { type Abi, type AbiParameter, toFunctionSignature } from 'viem'
import compiled from './compiled.json' with { type: 'json' }

// In a separate process: the compiler stays in memory, and adds process-wide error handlers.
test('compiled.json matches the contracts', { timeout: 120_000 }, async () => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'compile.ts'), '--check'])
})

const types = (parameters: readonly AbiParameter[]): string =>
  toFunctionSignature({ type: 'function', name: '', inputs: parameters, outputs: [], stateMutability: 'view' })

/** The interface of a contract without parameter names: `error InsufficientValue()`. */
function signatures(abi: Abi): string[] {
  return abi.flatMap((item) => {
    if (item.type === 'error') return `error ${item.name}${types(item.inputs)}`
    if (item.type === 'event') {
      return `event ${item.name}${types(item.inputs)} ${item.inputs.map(({ indexed = false }) => indexed).join()}`
    }
    if (item.type !== 'function') return []
    return `${item.stateMutability} ${item.name}${types(item.inputs)} returns ${types(item.outputs)}`
  })
}

const knownSignatures = (prefix: string): string[] => [
  ...new Set(
    Object.entries(ensjs)
      .filter(([name, value]) => name.startsWith(prefix) && Array.isArray(value))
      .flatMap(([, abi]) => signatures(abi as unknown as Abi)),
  ),
]

suite('our contracts have the interface of the real ones', () => {
  const pairs = [
    { prefix: 'ethRegistrarController', ours: compiled.RegistrarController, minKnown: 15 },
    { prefix: 'universalResolver', ours: compiled.UniversalResolver, minKnown: 12 },
  ]
  // Errors of off-chain callbacks, which our contract does not implement.
  const leftOut = ['error HttpError', 'error InvalidBatchGatewayResponse', 'error OffsetOutOfBoundsError']
  for (const { prefix, ours, minKnown } of pairs) {
    test(`${prefix}: has every function, event and error that ensjs knows`, () => {
      const wanted = knownSignatures(prefix).filter(
        (signature) => !leftOut.some((start) => signature.startsWith(start)),
      )
      assert.ok(wanted.length >= minKnown, `ensjs knows only ${wanted.length} signatures`)
      const have = new Set(signatures(ours.abi as Abi))
      assert.deepEqual(
        wanted.filter((signature) => !have.has(signature)),
        [],
      )
    })
  }
})
