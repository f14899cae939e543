import { readFileSync } from 'node:fs'

/** The type definitions of Node lack WebAssembly. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => {
    readonly buffer: ArrayBuffer
  }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const PAGE_BYTES = 65_536
/** Compiled modules; each thread compiles a module once. */
const compiled = new Map<string, object>()

/** The module's exports and a memory of fixed size: pages that are never touched take no physical memory. */
export function instantiate(
  name: 'kernel' | 'tokenizer' | 'records',
  size: number,
): { exports: unknown; memory: ArrayBuffer } {
  let module = compiled.get(name)
  if (!module) {
    module = new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, import.meta.url)))
    compiled.set(name, module)
  }
  const pages = Math.ceil(size / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  return { exports: new WebAssembly.Instance(module, { host: { memory } }).exports, memory: memory.buffer }
}
