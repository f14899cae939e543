#!/usr/bin/env node
// Starts Onoma with a Node that is new enough. This file must run on an old Node, too: plain JavaScript, old modules.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = [24, 11]
const argv = process.argv.slice(2)
/** The commands that run for long. The others are faster without a second start of Node. */
const SERVICES = new Set(['serve', 'mcp'])
/**
 * The size of V8's young generation; `npm start` and the Dockerfile have it, too. By default V8 lets it grow with the heap,
 * and pauses and memory grow with it. With half of this, objects of requests in flight move to the old generation.
 */
const YOUNG_GENERATION_FLAG = '--max-semi-space-size=16'

if (argv.length === 1 && (argv[0] === 'version' || argv[0] === '--version')) {
  showVersion()
} else if (isNewEnough(process.versions.node)) {
  if (needsYoungGeneration()) {
    const options = [YOUNG_GENERATION_FLAG, ...process.execArgv]
    // Replaces this process: its id, its input and output, and its parent stay what they are.
    process.execve(
      process.execPath,
      [process.execPath, ...options, fileURLToPath(import.meta.url), ...argv],
      process.env,
    )
  }
  module.enableCompileCache()
  if (import.meta.url.includes('/node_modules/')) await import('./typescript.js')
  const { main } = await import('../src/app/cli.ts')
  await main()
} else {
  const node = bundledNode()
  if (node) runWith(node)
  else giveUp(`this is Node ${process.versions.node}, and the Node that npm installs beside Onoma was not found`)
}

/** Here, because it must not wait for anything to be loaded. */
function showVersion() {
  process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1))
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`onoma ${version}\n`)
}

/** Whether to start Node again with the flag. Not with a channel to the parent process: it would not survive. */
function needsYoungGeneration() {
  const options = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)]
  const canReplace = typeof process.execve === 'function' && process.channel === undefined
  return (
    canReplace &&
    SERVICES.has(argv[0] ?? '') &&
    !options.some((option) => /^--m(?:ax|in)[-_]semi[-_]space/.test(option))
  )
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

/** The Node among our dependencies; where we are a dependency ourselves, it may lie beside us. */
function bundledNode() {
  try {
    const about = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`)
    const node = join(dirname(about), 'bin', 'node')
    const { version } = JSON.parse(readFileSync(about, 'utf8'))
    return isNewEnough(version) && existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

/** @param {string} node */
function runWith(node) {
  const flags = SERVICES.has(argv[0] ?? '') ? [YOUNG_GENERATION_FLAG] : []
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
      'Run npm ci in its folder (it brings Node for Linux on x64 and arm64), or start it with a newer Node.\n',
  )
  process.exit(1)
}
