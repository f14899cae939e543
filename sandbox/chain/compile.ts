import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

/**
 * Compiles our contracts into `compiled.json`, so that the chain starts without a compiler. With `--check` it writes
 * nothing, and fails if the file does not match the sources.
 */

type Compiled = Readonly<Record<string, { readonly abi: Abi; readonly bytecode: Hex }>>

type CompilerOutput = {
  readonly errors?: readonly { readonly formattedMessage: string }[]
  readonly contracts: Record<
    string,
    Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }>
  >
}

const SOURCES = join(import.meta.dirname, 'contracts')
const COMPILED = join(import.meta.dirname, 'compiled.json')

async function compile(): Promise<Compiled> {
  const { default: solc } = (await import('solc')) as { default: { compile(input: string): string } }
  const files = readdirSync(SOURCES).toSorted()
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(SOURCES, file), 'utf8') }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // Keep comments and file names out of the bytecode.
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const compiled: Record<string, Compiled[string]> = {}
  for (const file of files) {
    for (const [name, { abi, evm }] of Object.entries(contracts[file] ?? {})) {
      // Interfaces have no code.
      if (evm.bytecode.object !== '') compiled[name] = { abi, bytecode: `0x${evm.bytecode.object}` }
    }
  }
  return compiled
}

const fresh = JSON.stringify(await compile(), null, 2)
if (process.argv.includes('--check')) {
  // Compare parsed: the formatter may have changed the line breaks.
  const committed = JSON.stringify(JSON.parse(readFileSync(COMPILED, 'utf8')), null, 2)
  if (committed !== fresh) {
    process.stderr.write('compiled.json does not match the contracts: run "npm run compile:contracts".\n')
    process.exitCode = 1
  }
} else {
  writeFileSync(COMPILED, `${fresh}\n`)
}
