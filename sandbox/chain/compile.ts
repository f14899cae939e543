import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

/**
 * Compiles our own contracts into `compiled.json`, so that starting the chain needs no compiler. With `--check` it
 * writes nothing and fails where the file is not what the sources give.
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
      // Nothing in the bytecode depends on comments or on file names.
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
  // The formatter may have moved the lines.
  const kept = JSON.stringify(JSON.parse(readFileSync(COMPILED, 'utf8')), null, 2)
  if (kept !== fresh) {
    process.stderr.write('compiled.json is not what the contracts give: run "npm run compile:contracts".\n')
    process.exitCode = 1
  }
} else {
  writeFileSync(COMPILED, `${fresh}\n`)
}
