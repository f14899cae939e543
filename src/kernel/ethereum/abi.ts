/**
 * Calls and results of contracts, by the signatures of `viem/utils`. Only its types are used: at run time `ox`, on which viem
 * is built, does the work, with a quarter of the modules. `viem.test.ts` compares both.
 */
import { from } from 'ox/Abi'
import { fromAbi, getSelector, getSignatureHash } from 'ox/AbiItem'
import { decode, encode } from 'ox/AbiParameters'
import { fromHex } from 'ox/Bytes'
import type { Abi, AbiFunction, AbiItem, AbiParameter } from 'viem'
import type * as viem from 'viem/utils'
import type { Hex } from '../hex.ts'

/** Addresses are returned with the capitals of their checksum, and rejected with wrong ones. */
const STRICT = { checksumAddress: true }

export const parseAbi: typeof viem.parseAbi = from
export const toFunctionSelector = (signature: string): Hex => getSelector(`function ${signature}`)
export const toEventSelector = (signature: string): Hex => getSignatureHash(`event ${signature}`)

export const encodeAbiParameters = ((parameters: readonly AbiParameter[], values: readonly unknown[]) =>
  encode(parameters, values as never, STRICT)) as typeof viem.encodeAbiParameters

export const decodeAbiParameters = ((parameters: readonly AbiParameter[], data: Hex) =>
  decodeValues(parameters, data)) as typeof viem.decodeAbiParameters

export const getAbiItem = (({ abi, name }: { readonly abi: Abi; readonly name: string }) =>
  fromAbi(abi, name as never, { prepare: false })) as unknown as typeof viem.getAbiItem

type Named = { readonly abi: Abi; readonly functionName?: string; readonly args?: readonly unknown[] }

export const encodeFunctionData = (({ abi, functionName, args = [] }: Named): Hex => {
  const item = functionOf(abi, functionName, args)
  return `${selectorOf(item)}${encode(item.inputs, args as never, STRICT).slice(2)}` as Hex
}) as unknown as typeof viem.encodeFunctionData

export const decodeFunctionData = (({ abi, data }: { readonly abi: Abi; readonly data: Hex }) => {
  const item = bySelector(abi, 'function', data)
  return { functionName: item.name, args: argumentsOf(item, data) }
}) as unknown as typeof viem.decodeFunctionData

export const encodeFunctionResult = (({ abi, functionName, result }: Named & { readonly result: unknown }): Hex => {
  const { outputs } = functionOf(abi, functionName, [])
  return encode(outputs, (outputs.length === 1 ? [result] : result) as never, STRICT)
}) as unknown as typeof viem.encodeFunctionResult

export const decodeFunctionResult = (({ abi, functionName, args = [], data }: Named & { readonly data: Hex }) => {
  const values = decodeValues(functionOf(abi, functionName, args).outputs, data)
  return values.length > 1 ? values : values[0]
}) as unknown as typeof viem.decodeFunctionResult

type ErrorResult = { readonly abi: Abi; readonly errorName: string; readonly args?: readonly unknown[] }

export const encodeErrorResult = (({ abi, errorName, args = [] }: ErrorResult): Hex => {
  const item = fromAbi(abi, errorName as never, { args, prepare: false }) as Described
  return `${selectorOf(item)}${encode(item.inputs, args as never, STRICT).slice(2)}` as Hex
}) as unknown as typeof viem.encodeErrorResult

/** `Error(string)` and `Panic(uint256)` are known without being in the ABI. */
export const decodeErrorResult = (({ abi, data }: { readonly abi: Abi; readonly data: Hex }) => {
  const item = bySelector([...abi, ...SOLIDITY_ERRORS], 'error', data)
  return { abiItem: item, errorName: item.name, args: argumentsOf(item, data) }
}) as unknown as typeof viem.decodeErrorResult

const SOLIDITY_ERRORS = from(['error Error(string message)', 'error Panic(uint256 code)']) as Abi

type Described = Extract<AbiItem, { readonly name: string; readonly inputs: readonly AbiParameter[] }>

/** The function with this name, and of several the one these arguments fit; the first of the ABI without a name. */
function functionOf(abi: Abi, name: string | undefined, args: readonly unknown[]): AbiFunction {
  const item = name === undefined ? abi[0] : fromAbi(abi, name as never, { args, prepare: false })
  if (item?.type !== 'function') throw new Error(`The ABI has no function ${name ?? ''}.`)
  return item
}

function bySelector(abi: Abi, type: 'function' | 'error', data: Hex): Described {
  const selector = data.slice(0, 10)
  for (const item of abi) if (item.type === type && selectorOf(item) === selector) return item
  throw new Error(`The ABI has no ${type} with the selector ${selector}.`)
}

const argumentsOf = ({ inputs }: Described, data: Hex): unknown =>
  inputs.length === 0 ? undefined : decodeValues(inputs, `0x${data.slice(10)}`)

/** Computed once: it is a hash of the whole signature. */
function selectorOf(item: Described | AbiFunction): Hex {
  let selector = selectors.get(item)
  if (selector === undefined) selectors.set(item, (selector = getSelector(item)))
  return selector
}
const selectors = new WeakMap<object, Hex>()

/** Where ox is less strict than viem: it drops zero bytes at the beginning of text, and rounds numbers that are too large. */
function decodeValues(parameters: readonly AbiParameter[], data: Hex): readonly unknown[] {
  const values = decode(parameters.map(textAsBytes), data, STRICT) as readonly unknown[]
  return values.map((value, at) => exactValue(parameters[at]!, value))
}

const textAsBytes = (parameter: AbiParameter): AbiParameter => ({
  ...parameter,
  type: parameter.type.replace(/^string/, 'bytes'),
  ...('components' in parameter && { components: parameter.components.map(textAsBytes) }),
})

function exactValue(parameter: AbiParameter, value: unknown): unknown {
  const { type } = parameter
  if (type.endsWith(']')) {
    const entry = { ...parameter, type: type.slice(0, type.lastIndexOf('[')) }
    return (value as readonly unknown[]).map((one) => exactValue(entry, one))
  }
  if (type === 'string') return new TextDecoder().decode(fromHex(value as Hex))
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`The value is not a ${type}.`)
  if (!('components' in parameter)) return value
  const { components } = parameter
  // A tuple is a list unless all its components have names.
  if (Array.isArray(value)) return value.map((one, at) => exactValue(components[at]!, one))
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    components.map((component) => [component.name!, exactValue(component, fields[component.name!])]),
  )
}
