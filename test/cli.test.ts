import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startNames } from '../sandbox/names/start.ts'

const BIN = fileURLToPath(new URL('../bin/onoma.js', import.meta.url))

type Options = { env?: Record<string, string>; cwd?: string; node?: string[]; bin?: string; input?: string }

/** Starts a command with a clean environment, in a folder without a .env file. */
function start(
  argv: readonly string[],
  { env = {}, cwd = dirname(BIN), node = [], bin = BIN }: Options = {},
): ChildProcess {
  return spawn(process.execPath, [...node, bin, ...argv], { env: { PATH: process.env['PATH'], ...env }, cwd })
}

async function ended(child: ChildProcess, input = '') {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  child.stdin?.end(input)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, ...output }
}

const onoma = (argv: readonly string[], options: Options = {}) => ended(start(argv, options), options.input)

function folder(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'onoma-cli-'))
  t.after(() => rmSync(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return path
}

test('onoma --help lists the commands of the service and of every capability', async () => {
  const { code, stdout, stderr } = await onoma(['--help'])
  assert.equal(code, 0)
  assert.equal(stderr, '')
  for (const words of ['serve', 'mcp', 'config', 'tlds', 'register <domain>', 'health']) {
    assert.match(stdout, new RegExp(`^  ${words} `, 'm'))
  }
})

for (const command of ['tlds', 'register', 'health']) {
  test(`onoma ${command} --help ends with an example whose answer is JSON`, async () => {
    const { code, stdout } = await onoma([command, '--help'])
    assert.equal(code, 0)
    const example = /^EXAMPLE\n {2}\$ onoma (.*) --json\n([^]*)$/m.exec(stdout)
    assert.ok(example)
    assert.ok(example[1]!.startsWith(command))
    assert.ok(JSON.parse(example[2]!))
  })
}

test('a long answer is printed completely', async () => {
  const { code, stdout } = await onoma(['tlds', '--type', 'gTLD'])
  assert.equal(code, 0)
  const { total, tlds } = JSON.parse(stdout) as { total: number; tlds: unknown[] }
  assert.ok(total > 400)
  assert.equal(tlds.length, total)
})

test('CSV and NDJSON have a line for each row', async () => {
  const csv = await onoma(['register', 'example.com', '--csv'])
  assert.match(csv.stdout, /^name,slug,url,estimatedPrice,registrationPrice,renewalPrice,priceAsOf\r\n/)
  assert.equal(csv.stdout.trim().split('\r\n').length, 4)
  const ndjson = await onoma(['register', 'example.com', '--ndjson'])
  assert.equal(
    ndjson.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).slug)
      .join(),
    'registrar_a,registrar_b,registrar_c',
  )
})

test('a closed pipe (| head) is not an error', async () => {
  for (const argv of [['tlds'], ['config'], ['--help']]) {
    const child = start(argv)
    child.stdout!.destroy()
    assert.deepEqual(await ended(child), { code: 0, signal: null, stdout: '', stderr: '' })
  }
})

test('errors are printed to standard error as a sentence, with an exit code', async () => {
  const unknown = await onoma(['regster', 'example.com'])
  assert.equal(unknown.code, 2)
  assert.equal(unknown.stdout, '')
  assert.equal(unknown.stderr, 'There is no command "regster example.com"; did you mean onoma register?\n')
  const invalid = await onoma(['register', '--json'])
  assert.equal(invalid.code, 2)
  assert.equal(JSON.parse(invalid.stderr).error, 'missing_domain')
})

test('a check exits with 0 if any result is known, and with 1 if none is', async () => {
  const names = await startNames({ seed: 1 })
  try {
    const check = async (...argv: string[]) => {
      const { code, stdout, stderr } = await onoma(['check', ...argv], {
        env: { ...names.settings, ONOMA_SANDBOX: 'on' },
      })
      return { code, stderr, answer: JSON.parse(stdout) }
    }
    const [known, unknown, mixed] = await Promise.all([
      check('taken-shop', '--tld', 'com,net'),
      check('broken-shop', '--tld', 'com,net'),
      check('broken-shop.com,taken-shop.com'),
    ])
    assert.equal(known.code, 0, known.stderr)
    assert.deepEqual(known.answer.summary, { checked: 2, available: 0, unavailable: 2, unknown: 0, premium: 0 })

    assert.equal(unknown.answer.summary.unknown, 2)
    assert.equal(unknown.code, 1)
    assert.equal(unknown.stderr, 'No result could be determined; try again.\n')

    assert.equal(mixed.answer.summary.unknown, 1)
    assert.equal(mixed.code, 0)
    assert.equal(mixed.stderr, '')
  } finally {
    await names.stop()
  }
})

test('an invalid or unknown setting stops the service before it starts', async () => {
  const { code, stdout, stderr } = await onoma(['serve'], { env: { PORT: 'eighty', ONOMA_RATELIMIT: '5' } })
  assert.equal(code, 2)
  assert.equal(stdout, '')
  assert.equal(
    stderr,
    'PORT must be a whole number from 0 to 65535, not "eighty".\n' +
      'ONOMA_RATELIMIT is not a setting; did you mean ONOMA_RATE_LIMIT?\n',
  )
})

test('a missing file named in a setting is reported without a stack trace', async () => {
  const { code, stderr } = await onoma(['tlds'], { env: { ONOMA_REGISTRARS: '/nowhere/registrars.json' } })
  assert.equal(code, 1)
  assert.match(stderr, /^onoma failed: .*\/nowhere\/registrars\.json.*\n$/)
})

test('a .env file in the working directory is loaded, and the environment takes precedence', async (t) => {
  const cwd = folder(t, { '.env': 'PORT=9001\nONOMA_RATE_LIMIT="7" # few\nOTHER=x\n' })
  const { stdout } = await onoma(['config', '--json'], { cwd, env: { PORT: '9002' } })
  const rows = (JSON.parse(stdout) as { settings: { setting: string; value: string; from: string }[] }).settings
  const shown = (name: string) =>
    rows.filter(({ setting }) => setting === name).map(({ value, from }) => `${value} ${from}`)
  assert.deepEqual(shown('PORT'), ['9002 environment'])
  assert.deepEqual(shown('ONOMA_RATE_LIMIT'), ['7 .env file'])
  const broken = await onoma(['config'], { cwd: folder(t, { '.env': 'ONOMA_NONSENSE=1' }) })
  assert.equal(broken.code, 2)
})

test('a folder called .env is ignored', async (t) => {
  const { code } = await onoma(['config'], { cwd: folder(t, { '.env/pyvenv.cfg': '' }) })
  assert.equal(code, 0)
})

const PROCESS = new URL('../src/app/process.ts', import.meta.url).href

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} aborts a command and ends it with ${code}`, async (t) => {
    const bin = join(
      folder(t, {
        'slow.mjs': `import { behaveAsCommand } from '${PROCESS}'
          const { signal, exitCode } = behaveAsCommand()
          setTimeout(() => process.exit(1), 20_000)
          signal.addEventListener('abort', () => process.exit(exitCode()))
          console.log('ready')`,
      }),
      'slow.mjs',
    )
    const child = start([], { bin })
    child.stdout!.once('data', () => child.kill(signal))
    assert.deepEqual(await ended(child), { code, signal: null, stdout: 'ready\n', stderr: '' })
  })
}

for (const [name, apartMs, stdout] of [
  ['the duplicate signal from npm does not cut a command short', 200, 'ready\nstopping\ntidy\n'],
  ['a second signal ends a command at once', 2000, 'ready\nstopping\n'],
] as const) {
  test(name, async (t) => {
    const bin = join(
      folder(t, {
        'slow.mjs': `import { behaveAsCommand } from '${PROCESS}'
          let now = 0
          const { signal, exitCode } = behaveAsCommand({ monotonic: () => (now += ${apartMs}) })
          process.stdin.resume().on('end', () => {
            console.log('tidy')
            process.exit(exitCode())
          })
          signal.addEventListener('abort', () => console.log('stopping'))
          console.log('ready')`,
      }),
      'slow.mjs',
    )
    const child = start([], { bin })
    let output = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text))
    const waitFor = async (line: string) => {
      while (!output.includes(line)) await once(child.stdout!, 'data')
    }
    const closed = once(child, 'close')
    await waitFor('ready')
    child.kill('SIGINT')
    await waitFor('stopping')
    child.kill('SIGINT')
    // The program handles both signals in order, even if both arrive before it runs.
    if (apartMs === 200) child.stdin!.end()
    assert.deepEqual([...(await closed), output], [130, null, stdout])
  })
}

// The launcher with a test program, and a Node that reports an old version.
const PROGRAM = `import type { Buffer } from 'node:buffer'
export async function main(): Promise<void> {
  let [action, ...rest] = process.argv.slice(2)
  if (action === 'echo') for await (const chunk of process.stdin) console.log(rest.join('|') + String(chunk as Buffer))
  if (action === 'parent') console.log(process.ppid)
  if (action === 'serve') console.log(JSON.stringify([process.pid, process.execArgv]))
  if (action === 'mcp') for await (const chunk of process.stdin) console.log(String(chunk as Buffer))
  if (rest[0] === 'exit') process.exit(5)
  if (rest[0] === 'wait') action = rest.shift()
  if (action === 'exit') process.exitCode = 7
  if (action === 'die') process.kill(process.pid, 'SIGKILL')
  if (action !== 'wait') return
  process.on(rest[0] as NodeJS.Signals, () => process.exit(9))
  // Exit even if the signal is lost.
  setTimeout(() => process.exit(1), 20_000)
  console.log('ready')
}
`
const OLD_NODE = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`

function installed(t: TestContext, at: string, bundled: string | null = '24.11.0'): { bin: string; node: string[] } {
  const root = folder(t, {
    'old.cjs': OLD_NODE,
    [`${at}/package.json`]: '{"type": "module"}',
    [`${at}/src/app/cli.ts`]: PROGRAM,
    [`${at}/bin/.keep`]: '',
    ...(bundled && { [`node_modules/${NODE_PACKAGE}/package.json`]: JSON.stringify({ version: bundled }) }),
  })
  if (bundled) {
    mkdirSync(join(root, 'node_modules', NODE_PACKAGE, 'bin'))
    symlinkSync(process.execPath, join(root, 'node_modules', NODE_PACKAGE, 'bin/node'))
  }
  const bin = join(root, at, 'bin/onoma.js')
  copyFileSync(BIN, bin)
  copyFileSync(join(BIN, '../typescript.js'), join(root, at, 'bin/typescript.js'))
  return { bin, node: ['--require', join(root, 'old.cjs')] }
}

for (const at of ['.', 'node_modules/onoma']) {
  test(`an old Node hands over to the bundled one, with input, arguments and exit code (in ${at})`, async (t) => {
    const launcher = installed(t, at)
    const echo = await onoma(['echo', 'a b', '--x'], { ...launcher, input: ' and input' })
    assert.deepEqual(echo, { code: 0, signal: null, stdout: 'a b|--x and input\n', stderr: '' })
    assert.equal((await onoma(['exit'], launcher)).code, 7)
  })
}

test('a new Node runs the program in its own process', async (t) => {
  const { bin } = installed(t, '.', null)
  assert.equal((await onoma(['parent'], { bin })).stdout, `${process.pid}\n`)
})

for (const at of ['.', 'node_modules/onoma']) {
  test(`the bundle is run, unless a source has changed since (in ${at})`, async (t) => {
    const { bin } = installed(t, at, null)
    const root = dirname(dirname(bin))
    const source = join(root, 'src/app/cli.ts')
    const origin = async () => (await onoma(['origin'], { bin })).stdout
    const { size, mtimeMs } = statSync(source)
    const sha256 = createHash('sha256').update(PROGRAM).digest('hex')
    mkdirSync(join(root, 'dist'))
    writeFileSync(join(root, 'dist/cli.js'), "export const main = () => console.log('bundle')")
    assert.equal(await origin(), '')
    writeFileSync(join(root, 'dist/inputs.json'), JSON.stringify([{ path: 'src/app/cli.ts', size, mtimeMs, sha256 }]))
    assert.equal(await origin(), 'bundle\n')
    // A checkout or an image gives files other times.
    utimesSync(source, 1, 1)
    assert.equal(await origin(), 'bundle\n')
    // A change that keeps the length.
    writeFileSync(source, PROGRAM.replace('process.exit(9)', 'process.exit(8)'))
    assert.equal(await origin(), at === '.' ? '' : 'bundle\n')
    rmSync(source)
    if (at === '.') assert.equal((await onoma(['origin'], { bin })).code, 1)
  })
}

const SERVICE_FLAGS = ['--max-semi-space-size=16', '--no-regexp-tier-up', '--expose-gc']

test('the service starts with the same flags of Node in every way', async (t) => {
  const { bin } = installed(t, '.', null)
  const child = start(['serve'], { bin })
  // The same process: a supervisor knows its id.
  const pid = child.pid
  assert.deepEqual(JSON.parse((await ended(child)).stdout), [pid, SERVICE_FLAGS])
  const old = await onoma(['serve'], installed(t, '.'))
  assert.deepEqual((JSON.parse(old.stdout) as unknown[])[1], SERVICE_FLAGS)
  const root = dirname(dirname(BIN))
  assert.match(
    readFileSync(join(root, 'package.json'), 'utf8'),
    /"start": "node --max-semi-space-size=16 --no-regexp-tier-up --expose-gc bin/,
  )
  assert.match(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
    /"node", "--max-semi-space-size=16", "--no-regexp-tier-up", "--expose-gc", "bin/,
  )
})

// What Node has on Windows: a folder for temporary files by another name, and a function that is there and throws.
const WINDOWS = `process.env.TEMP = require('node:os').tmpdir()
Object.defineProperty(process, 'platform', { value: 'win32' })
process.execve = () => { throw new Error('process.execve is not available on this platform') }
`

test('on Windows, which cannot replace a process, the service runs without the flags', async (t) => {
  const { bin } = installed(t, '.', null)
  const root = folder(t, { 'windows.cjs': WINDOWS })
  const { code, stdout, stderr } = await onoma(['serve'], { bin, node: ['--require', join(root, 'windows.cjs')] })
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual((JSON.parse(stdout) as [number, string[]])[1].slice(0, 1), ['--require'])
})

test('on Windows the bundled Node has another name', async (t) => {
  const { bin, node } = installed(t, '.', null)
  const root = dirname(dirname(bin))
  const bundled = join(root, 'node_modules', `node-win-${process.arch}`)
  mkdirSync(join(bundled, 'bin'), { recursive: true })
  writeFileSync(join(bundled, 'package.json'), JSON.stringify({ version: '24.11.0' }))
  symlinkSync(process.execPath, join(bundled, 'bin/node.exe'))
  writeFileSync(join(root, 'windows.cjs'), WINDOWS)
  const launcher = { bin, node: [...node, '--require', join(root, 'windows.cjs')] }
  assert.deepEqual(await onoma(['echo', 'a'], { ...launcher, input: 'b' }), {
    code: 0,
    signal: null,
    stdout: 'ab\n',
    stderr: '',
  })
})

test('no script of the package needs a shell that Windows lacks', () => {
  const { scripts } = JSON.parse(readFileSync(join(dirname(dirname(BIN)), 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [name, script] of Object.entries(scripts)) {
    for (const command of script.split('&&')) {
      const [program = ''] = command.trim().split(' ')
      assert.match(program, /^(?:node|tsc|oxlint|oxfmt|knip)$/, `${name}: ${program}`)
      assert.doesNotMatch(command, /['$`\\;|<>%]/, name)
    }
  }
})

test("the operator's own young generation wins, given as an option or in NODE_OPTIONS", async (t) => {
  const { bin } = installed(t, '.', null)
  const own = '--max-semi-space-size=64'
  const flags = async (options: Options) =>
    (JSON.parse((await onoma(['serve'], { bin, ...options })).stdout) as unknown[])[1]
  assert.deepEqual(await flags({ node: [own] }), [own])
  assert.deepEqual(await flags({ env: { NODE_OPTIONS: own } }), [])
})

test('a process with a channel to its parent keeps it', async (t) => {
  const { bin } = installed(t, '.', null)
  const child = spawn(process.execPath, [bin, 'serve'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  assert.deepEqual(JSON.parse((await ended(child)).stdout), [child.pid, []])
})

test('input, exit codes and signals pass through the second start of Node', async (t) => {
  const { bin } = installed(t, '.', null)
  assert.equal((await onoma(['mcp'], { bin, input: 'a message' })).stdout, 'a message\n')
  assert.equal((await onoma(['serve', 'exit'], { bin })).code, 5)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const child = start(['serve', 'wait', signal], { bin })
    child.stdout!.setEncoding('utf8').on('data', (text: string) => text.includes('ready') && child.kill(signal))
    const { code, stderr } = await ended(child)
    assert.deepEqual([code, stderr], [9, ''])
  }
})

test('onoma version loads nothing but the launcher', async (t) => {
  const watch = join(
    folder(t, {
      'watch.mjs': `import module from 'node:module'
        module.registerHooks({ load(url, context, next) {
          if (url.startsWith('file:')) console.error(url)
          return next(url, context)
        } })`,
    }),
    'watch.mjs',
  )
  const { version } = JSON.parse(readFileSync(join(dirname(BIN), '../package.json'), 'utf8')) as { version: string }
  for (const argument of ['version', '--version']) {
    const { code, stdout, stderr } = await onoma([argument], { node: ['--import', watch] })
    assert.deepEqual([code, stdout], [0, `onoma ${version}\n`])
    assert.deepEqual(stderr.trim().split('\n'), [new URL('../bin/onoma.js', import.meta.url).href])
  }
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} reaches the program behind the launcher`, async (t) => {
    const child = start(['wait', signal], installed(t, '.'))
    child.stdout!.once('data', () => child.kill(signal))
    assert.deepEqual(await ended(child), { code: 9, signal: null, stdout: 'ready\n', stderr: '' })
  })
}

test('the launcher ends with the signal that killed the program', async (t) => {
  assert.equal((await onoma(['die'], installed(t, '.'))).signal, 'SIGKILL')
})

for (const bundled of [null, '22.0.0']) {
  test(`an old Node without a new one (bundled: ${bundled}) names the required version`, async (t) => {
    const { code, stdout, stderr } = await onoma(['echo'], installed(t, '.', bundled))
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^Onoma needs Node 24\.11 or newer: this is Node 20\.20\.2/)
  })
}
