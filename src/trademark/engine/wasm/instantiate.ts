import { readFileSync } from 'node:fs'

/** The types of Node do not know it. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => {
    readonly buffer: ArrayBuffer
  }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const PAGE = 65_536
const compiled = new Map<string, object>()

/** What this module exports, and the memory it works in, which never grows: what nobody has touched costs nothing. */
export function instantiate(name: 'kernel' | 'tokenizer', size: number): { exports: unknown; memory: ArrayBuffer } {
  let module = compiled.get(name)
  if (!module) {
    module = new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, import.meta.url)))
    compiled.set(name, module)
  }
  const pages = Math.ceil(size / PAGE)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  return { exports: new WebAssembly.Instance(module, { host: { memory } }).exports, memory: memory.buffer }
}
