/** Compiles the WebAssembly modules of the trademark search; each .wasm file is beside its .wat source. */
import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

const FOLDER = new URL('../src/trademark/engine/wasm/', import.meta.url)
export const MODULES = ['kernel', 'tokenizer', 'records'] as const

export const compiledPath = (name: string) => new URL(`${name}.wasm`, FOLDER)

export async function compileModule(name: string): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const source = readFileSync(new URL(`${name}.wat`, FOLDER), 'utf8')
  const parsed = parseWat(`${name}.wat`, source, { simd: true, bulk_memory: true })
  try {
    parsed.validate()
    return parsed.toBinary({ canonicalize_lebs: true, write_debug_names: false }).buffer
  } finally {
    parsed.destroy()
  }
}

if (import.meta.main) for (const name of MODULES) writeFileSync(compiledPath(name), await compileModule(name))
