#!/usr/bin/env node
// Starts Onoma with a Node that is new enough. This file must run on an old Node, too: plain JavaScript, old modules.
import { existsSync, readFileSync, statSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = [24, 11]
const argv = process.argv.slice(2)
/** Under node_modules nobody edits us. */
const isInstalled = import.meta.url.includes('/node_modules/')
/** The commands that run for long. The others are faster without a second start of Node. */
const SERVICES = new Set(['serve', 'mcp'])
/**
 * `npm start` and the Dockerfile have them, too. The size of V8's young generation: by default V8 lets it grow with the
 * heap, and pauses and memory grow with it; with half of this, objects of requests in flight move to the old generation.
 * Patterns are compiled once, and not a second time when they are used again: the first answers come sooner. And the right
 * to collect garbage once, after the start.
 */
const SERVICE_FLAGS = ['--max-semi-space-size=16', '--no-regexp-tier-up', '--expose-gc']

if (argv.length === 1 && (argv[0] === 'version' || argv[0] === '--version')) {
  showVersion()
} else if (isNewEnough(process.versions.node)) {
  if (needsServiceFlags()) {
    const options = [...SERVICE_FLAGS, ...process.execArgv]
    // Replaces this process: its id, its input and output, and its parent stay what they are.
    process.execve(
      process.execPath,
      [process.execPath, ...options, fileURLToPath(import.meta.url), ...argv],
      process.env,
    )
  }
  const isBundle = await isBundled()
  useCompileCache(isBundle)
  const { main } = await import(isBundle ? '../dist/cli.js' : await sources())
  await main()
} else {
  const node = bundledNode()
  if (node) await runWith(node)
  else giveUp(`this is Node ${process.versions.node}, and the Node that npm installs beside Onoma was not found`)
}

/** Here, because it must not wait for anything to be loaded. */
function showVersion() {
  process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1))
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`onoma ${version}\n`)
}

/** Whether the bundle in dist/ is there, and no source of it has changed since. */
async function isBundled() {
  const inputs = new URL('../dist/inputs.json', import.meta.url)
  if (!existsSync(inputs)) return false
  if (isInstalled) return true
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const { path, size, mtimeMs, sha256 } of JSON.parse(readFileSync(inputs, 'utf8'))) {
    const found = statSync(root + path, { throwIfNoEntry: false })
    if (found?.size !== size) return false
    // A checkout or an image may have given it another time.
    if (found.mtimeMs !== mtimeMs && (await hashOf(root + path)) !== sha256) return false
  }
  return true
}

/**
 * The bundle has a cache of its own, which was filled when it was made (scripts/build.js): Node keeps the first version of
 * what it caches, and that of a start that ended early has little. NODE_COMPILE_CACHE goes before.
 * @param {boolean} isBundle
 */
function useCompileCache(isBundle) {
  const directory = fileURLToPath(new URL('../dist/cache', import.meta.url))
  // Portable: the folder may be copied. Older versions of Node have no such cache.
  const own = isBundle && !isInstalled && isNewEnough(process.versions.node, [24, 12])
  const { status } = own ? module.enableCompileCache({ directory, portable: true }) : {}
  if (status === undefined || status === module.constants.compileCacheStatus.FAILED) module.enableCompileCache()
}

/** @param {string} path */
async function hashOf(path) {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

async function sources() {
  if (isInstalled) await import('./typescript.js')
  return '../src/app/cli.ts'
}

/**
 * Whether to start Node again with the flags. Not with a channel to the parent process: it would not survive. Windows cannot
 * replace a process (the function is there, and throws): without `npm start` the service runs without the flags there.
 */
function needsServiceFlags() {
  const options = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)]
  const canReplace =
    process.platform !== 'win32' && typeof process.execve === 'function' && process.channel === undefined
  return (
    canReplace &&
    SERVICES.has(argv[0] ?? '') &&
    !options.some((option) => /^--m(?:ax|in)[-_]semi[-_]space/.test(option))
  )
}

/** @param {string} version */
function isNewEnough(version, needed = NEEDED) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

/** The Node among our dependencies; where we are a dependency ourselves, it may lie beside us. */
function bundledNode() {
  try {
    const isWindows = process.platform === 'win32'
    const system = isWindows ? 'win' : process.platform
    const about = createRequire(import.meta.url).resolve(`node-${system}-${process.arch}/package.json`)
    const node = join(dirname(about), 'bin', isWindows ? 'node.exe' : 'node')
    const { version } = JSON.parse(readFileSync(about, 'utf8'))
    return isNewEnough(version) && existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

/** @param {string} node */
async function runWith(node) {
  const { spawn } = await import('node:child_process')
  const flags = SERVICES.has(argv[0] ?? '') ? SERVICE_FLAGS : []
  const child = spawn(node, [...flags, fileURLToPath(import.meta.url), ...argv], { stdio: 'inherit' })
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) {
    // What is typed at a terminal reaches the child without our help; sent on, Ctrl-C would count twice.
    const fromTerminal = signal === 'SIGINT' || signal === 'SIGQUIT'
    process.on(signal, () => !(fromTerminal && onTerminal) && child.kill(signal))
  }
  child.on('error', (error) => giveUp(`${node} could not be started (${error.message})`))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    // Exit as the child did, so that the parent process sees its status.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** @param {string} reason */
function giveUp(reason) {
  process.stderr.write(
    `Onoma needs Node ${NEEDED.join('.')} or newer: ${reason}.\n` +
      'Run npm ci in its folder (it brings Node for Linux on x64 and arm64, and for Windows and macOS on x64), or start it with a newer Node.\n',
  )
  process.exit(1)
}
