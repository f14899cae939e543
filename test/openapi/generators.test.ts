import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { createLog, stdoutDestination } from '../../src/kernel/log.ts'
import { installPackages } from '../../bench/install-packages.ts'
import { HEY_API, OPENAPI_FETCH, type Printed } from './client-programs.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The first account of every development chain; its key is published. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

const EXPECTED: Printed = {
  check: 'registered',
  bulk: ['free-shop.com', 'taken-shop.com'],
  dossier: 2,
  price: '20000',
  refused: 'invalid_name',
}

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  types: ['node'],
}

suite('clients generated from the OpenAPI document that the service serves', () => {
  // Beside the generators, where the compiler finds their packages.
  const folder = mkdtempSync(join(import.meta.dirname, 'generators', 'generated-'))
  let world: World
  let service: Service
  /** Runs a program of a package. It fails with what the program printed. */
  const run = async (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const options = {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, ...env },
      maxBuffer: 32 * 1024 * 1024,
    }
    try {
      return await promisify(execFile)(process.execPath, [program, ...args], options)
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${program} failed:\n${stdout.slice(-4_000)}${stderr.slice(-2_000)}`, { cause: error })
    }
  }
  const packageFile = (path: string) => join(ROOT, 'node_modules', path)
  const generatorFile = (path: string) => join(import.meta.dirname, 'generators/node_modules', path)
  /** Compiles a program with its generated client, then runs it against the service. */
  const compileAndRun = async (name: string, text: string): Promise<Printed> => {
    const file = `${name}.ts`
    writeFileSync(join(folder, file), text)
    const config = `${name}.json`
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [file] }))
    await run(packageFile('typescript-7/bin/tsc'), ['-p', config])
    const outfile = join(folder, `${name}.mjs`)
    await build({ entryPoints: [join(folder, file)], bundle: true, platform: 'node', format: 'esm', outfile })
    return JSON.parse((await run(outfile, [service.url])).stdout) as Printed
  }

  before(async () => {
    await installPackages(new URL('generators/', import.meta.url))
    world = await startWorld(SIMULATORS)
    const { config } = await sandboxConfig(parseSandboxEnv({ PORT: '0', ENS_PORT: '0', ONOMA_METRICS: 'off' }), world)
    service = await startService(config, { log: createLog('error', stdoutDestination(process.stderr.fd)) })
    const response = await fetch(`${service.url}/openapi.json`)
    writeFileSync(join(folder, 'openapi.json'), await response.text())
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('openapi-typescript: compiles strictly, and reads what the service answers', async () => {
    await run(generatorFile('openapi-typescript/bin/cli.js'), ['openapi.json', '-o', 'schema.d.ts'])
    assert.deepEqual(await compileAndRun('openapi-fetch', OPENAPI_FETCH), EXPECTED)
  })

  test('@hey-api/openapi-ts: compiles strictly, and reads what the service answers', async () => {
    await run(generatorFile('@hey-api/openapi-ts/bin/run.js'), ['-i', 'openapi.json', '-o', 'hey'])
    assert.deepEqual(await compileAndRun('hey-api', HEY_API), EXPECTED)
  })

  test('the command that a dossier names pays for the answer, with no more than Node and a key', async () => {
    const response = await fetch(`${service.url}/v1/names/acme.com?tld=com&parts=availability`)
    const { paid } = (await response.json()) as { paid: { command: string; path: string }[] }
    const [, tool, url] = /^npx (\S+) '([^']+)'$/.exec(paid[0]!.command)!
    assert.deepEqual([tool, url], ['mppx', service.url + paid[0]!.path])
    const { stdout } = await run(packageFile('mppx/dist/bin.js'), [url!, '--protocol', 'x402'], {
      MPPX_PRIVATE_KEY: SANDBOX_KEY,
      NO_UPDATE_NOTIFIER: '1',
    })
    assert.equal((JSON.parse(stdout) as { domain: string }).domain, 'acme.com')
  })
})
