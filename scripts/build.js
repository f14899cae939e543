// Bundles the program into dist/: a few files that load in a third of the time of its hundreds of TypeScript modules.
// `npm ci` runs it. Plain JavaScript, so that an old Node can run it too.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = join(ROOT, 'src')
/** What the bundle was made of; the launcher does not run a bundle whose sources have changed. */
const INPUTS = 'inputs.json'
/** Packages that read files beside themselves. */
export const NOT_BUNDLED = ['playwright-core', 'tiny-secp256k1']

/** Where a module names a file relative to itself. Files of TypeScript named so are run in threads. */
const RELATIVE = /new URL\('([\w./-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g

/** @param {string} path */
const withSlashes = (path) => path.split(sep).join('/')

/** The name in the bundle of a file that is run in a thread. @param {string} path */
const threadName = (path) => withSlashes(relative(SOURCES, path)).replace(/\.ts$/, '').replaceAll('/', '-')

/** @returns {string[]} */
function threadFiles() {
  const found = new Set()
  for (const entry of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    if (!/(?<!\.test|\.fixture)\.ts$/.test(entry.name)) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const [, name] of text.matchAll(RELATIVE)) if (name) found.add(join(entry.parentPath, `${name}.ts`))
  }
  return [...found]
}

/**
 * All files of the bundle are in one folder: what a module names relative to itself is named relative to that folder.
 * @param {string} folder
 */
const relativeNames = (folder) => ({
  name: 'relative-names',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const here = JSON.stringify(withSlashes(relative(folder, path)))
      const contents = readFileSync(path, 'utf8').replace(RELATIVE, (_, name) =>
        name === undefined
          ? `new URL(${here}, import.meta.url)`
          : `new URL('${threadName(join(dirname(path), `${name}.ts`))}.js', import.meta.url)`,
      )
      return { contents, loader: 'ts' }
    })
  },
})

/** Importing node:http as a module reads all its exports, and reading `WebSocket` loads an HTTP client that nobody uses. */
const withoutWebSocket = {
  name: 'without-web-socket',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^node:http$/ }, ({ path }) => ({ path, namespace: 'builtin' }))
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

/** What we use of undici. Its main module loads all of it: fetch, WebSocket, caches, mocks. */
const UNDICI = `
  const Dispatcher = require('undici/lib/dispatcher/dispatcher')
  Object.assign(Dispatcher.prototype, require('undici/lib/api'))
  exports.Agent = require('undici/lib/dispatcher/agent')
  exports.errors = require('undici/lib/core/errors')
`

const partsOfUndici = {
  name: 'parts-of-undici',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'parts' }))
    build.onLoad({ filter: /./, namespace: 'parts' }, () => ({ contents: UNDICI, resolveDir: ROOT }))
  },
}

/** Makes the bundle in the folder, which is replaced. @param {string} folder */
export async function bundle(folder) {
  const { build } = await import('esbuild')
  rmSync(folder, { recursive: true, force: true })
  const options = {
    absWorkingDir: ROOT,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: NOT_BUNDLED,
    plugins: [relativeNames(folder), withoutWebSocket, partsOfUndici],
    // Packages in the old module format load Node's own modules by this name.
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module';const require = $createRequire(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    logOverride: { 'import-is-undefined': 'error' },
  }
  // Apart from the threads: what they share would be split into dozens of files, each of which takes time to load.
  const program = await build({
    ...options,
    entryPoints: [{ in: join(SOURCES, 'app/cli.ts'), out: 'cli' }],
    splitting: true,
  })
  const threads = await build({
    ...options,
    entryPoints: threadFiles().map((path) => ({ in: path, out: threadName(path) })),
  })
  const paths = new Set([program, threads].flatMap(({ metafile }) => Object.keys(metafile.inputs)))
  // Not the packages: npm runs this again when it changes them.
  const ours = [...paths].filter((path) => /^(?:src|data)\/|^package\.json$/.test(path))
  const inputs = ours.map((path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path))
    const sha256 = createHash('sha256')
      .update(readFileSync(join(ROOT, path)))
      .digest('hex')
    return { path, size, mtimeMs, sha256 }
  })
  writeFileSync(join(folder, INPUTS), JSON.stringify(inputs))
}

const LAUNCHER = join(ROOT, 'bin/onoma.js')
/** What src/app/warm-up says at its end. */
const WARMED_UP = 'The warm-up is complete.'
const CACHE_TIMEOUT_MS = 20_000
/** Everything outside is simulated, and the only address that is asked at the start is on this machine. */
const OFFLINE = {
  ONOMA_SANDBOX: 'on',
  ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:9',
  ONOMA_LOG_LEVEL: 'debug',
  ONOMA_METRICS: 'off',
  ONOMA_DRAIN_SECONDS: '0',
  PORT: '0',
  ENS_PORT: '0',
}

/**
 * Starts the service once, so that every later start finds its code compiled. If that fails, the first start is slower.
 * @param {NodeJS.ProcessEnv} env
 */
async function fillCompileCache({ PATH, SystemRoot, TEMP, TMPDIR }) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-build-'))
  const env = { PATH, SystemRoot, TEMP, TMPDIR, ONOMA_DATA_DIR: folder, ...OFFLINE }
  const child = spawn(process.execPath, [LAUNCHER, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  await new Promise((resolve) => {
    child.on('close', resolve).on('error', resolve)
    const stop = () => child.kill()
    const timer = setTimeout(stop, CACHE_TIMEOUT_MS)
    child.on('close', () => clearTimeout(timer))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      if (output.includes(WARMED_UP)) stop()
    })
  })
  rmSync(folder, { recursive: true, force: true })
  if (!output.includes(WARMED_UP))
    process.stderr.write('The compile cache of the bundle was not filled; the first start will be slower.\n')
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await bundle(join(ROOT, 'dist'))
    // The Dockerfile makes the bundle without the launcher, and fills the cache later.
    if (existsSync(LAUNCHER)) await fillCompileCache(process.env)
  } catch (error) {
    // Without the packages for development there is no bundler; the program then runs from its sources.
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  }
}
