import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import * as ensjs from '@ensdomains/ensjs/contracts'
import { type Abi, type AbiParameter, toFunctionSignature } from 'viem'
import compiled from './compiled.json' with { type: 'json' }

// In a process of its own: the compiler stays in memory, and listens for the errors of whoever loads it.
test('compiled.json is what the contracts give', { timeout: 120_000 }, async () => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'compile.ts'), '--check'])
})

const types = (parameters: readonly AbiParameter[]): string =>
  toFunctionSignature({ type: 'function', name: '', inputs: parameters, outputs: [], stateMutability: 'view' })

/** What a caller can rely on, without the names of parameters: `error InsufficientValue()`. */
function faces(abi: Abi): string[] {
  return abi.flatMap((item) => {
    if (item.type === 'error') return `error ${item.name}${types(item.inputs)}`
    if (item.type === 'event') {
      return `event ${item.name}${types(item.inputs)} ${item.inputs.map(({ indexed = false }) => indexed).join()}`
    }
    if (item.type !== 'function') return []
    return `${item.stateMutability} ${item.name}${types(item.inputs)} returns ${types(item.outputs)}`
  })
}

const known = (prefix: string): string[] => [
  ...new Set(
    Object.entries(ensjs)
      .filter(([name, value]) => name.startsWith(prefix) && Array.isArray(value))
      .flatMap(([, abi]) => faces(abi as unknown as Abi)),
  ),
]

suite('our contracts have the face of the real ones', () => {
  const pairs = [
    { prefix: 'ethRegistrarController', ours: compiled.RegistrarController, least: 15 },
    { prefix: 'universalResolver', ours: compiled.UniversalResolver, least: 12 },
  ]
  // Errors that only come up when an answer from elsewhere is taken in, which ours does not do.
  const leftOut = ['error HttpError', 'error InvalidBatchGatewayResponse', 'error OffsetOutOfBoundsError']
  for (const { prefix, ours, least } of pairs) {
    test(`${prefix}: everything ensjs knows of it`, () => {
      const wanted = known(prefix).filter((face) => !leftOut.some((start) => face.startsWith(start)))
      assert.ok(wanted.length >= least, `ensjs knows ${wanted.length} things only`)
      const have = new Set(faces(ours.abi as Abi))
      assert.deepEqual(
        wanted.filter((face) => !have.has(face)),
        [],
      )
    })
  }
})
