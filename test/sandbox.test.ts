import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { iana } from '../sandbox/iana.ts'
import { OUTCOME_WORDS } from '../sandbox/outcome.ts'
import { startWorld, type World } from '../sandbox/world.ts'
import { refreshTlds } from '../scripts/refresh-tlds.ts'
import { endingWithUs, freePort } from './support/servers/process.ts'
import { open } from './support/wire.ts'

const SHIPPED = join(import.meta.dirname, '../data/tlds.json')
const MAIN = join(import.meta.dirname, '../sandbox/main.ts')
/** Generous, for a busy machine. */
const TIMEOUT_MS = 60_000

suite('npm run sandbox', () => {
  /** The temporary folder of the sandbox. */
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-sandbox-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  /** Runs the command, and kills it at the end in all cases. */
  async function withSandbox(
    args: string[],
    env: Record<string, string>,
    use: (sandbox: ReturnType<typeof watch>) => Promise<void>,
  ): Promise<void> {
    const [program, programArgs] = endingWithUs(process.execPath, [MAIN, ...args])
    const child = spawn(program, programArgs, {
      env: {
        PATH: process.env['PATH'],
        TMPDIR: folder,
        PORT: '0',
        ENS_PORT: String(await freePort()),
        ONOMA_METRICS: '127.0.0.1:0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    const sandbox = watch(child)
    try {
      await use(sandbox)
    } finally {
      child.kill('SIGKILL')
      await sandbox.ended
    }
  }

  test('every command in the greeting gives the promised status, and no file is left behind', async () => {
    await withSandbox(['--seed', '5'], {}, async ({ child, waitForOutput, ended, stderr }) => {
      const greeting = await waitForOutput(/Ctrl-C stops everything/)
      assert.match(greeting, /^Simulated internet \(seed 5\)$/m)
      assert.equal(readdirSync(folder).length, 1)

      const curls = [...greeting.matchAll(/^ {2}curl '(.+)'\n {6}(\d{3}): \S/gm)]
      assert.ok(curls.length >= 6)
      assert.equal(curls.length, greeting.split('curl ').length - 1)
      for (const [, url, status] of curls) assert.equal(await statusOf(url!), Number(status), url)

      const address = (label: string) => new RegExp(`^ {2}${label} +(http\\S+)$`, 'm').exec(greeting)?.[1] ?? label
      assert.equal(await statusOf(`${address('API')}/health`), 200)
      for (const label of ['page', 'docs', 'OpenAPI']) assert.equal(await statusOf(address(label)), 200, label)
      assert.equal(await statusOf(address('metrics')), 200)
      assert.equal(await statusOf(`${address('ENS')}/v1/tlds`), 404)
      assert.notEqual(await statusOf(address('MCP')), 404)

      const refreshes = [...greeting.matchAll(/npm run refresh:tlds -- (.+)/g)].map(([, args]) => args!.split(' '))
      const codes = await Promise.all(refreshes.map((args) => refreshTlds(args, { print() {} })))
      assert.deepEqual(codes, [0, 1])

      // Under npm one Ctrl-C arrives as two signals.
      child.kill('SIGINT')
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
      assert.deepEqual(readdirSync(folder), [])
      assert.equal(stderr(), '')
      await assert.rejects(open(Number(new URL(address('API')).port)), { code: 'ECONNREFUSED' })
    })
  })

  test('--quiet prints only the URL; a second signal exits without waiting for requests in flight', async () => {
    await withSandbox(['--quiet'], { ENS_PORT: '0', ONOMA_METRICS: 'off' }, async ({ child, waitForOutput, ended }) => {
      const url = (await waitForOutput(/\n/)).trimEnd()
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
      const busy = await open(Number(new URL(url).port))
      busy.on('error', () => {})
      busy.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n')
      await once(busy, 'data')
      const again = setInterval(() => child.kill('SIGTERM'), 50)
      const [code] = await ended.finally(() => clearInterval(again))
      busy.destroy()
      assert.equal(code, 1)
      assert.deepEqual(readdirSync(folder), [])
    })
  })

  test('refuses to start with a live payment setting, and names it', async () => {
    await withSandbox(
      [],
      { ONOMA_PAY_TO: '0x52908400098527886E0F7030069857D2E4169EE7' },
      async ({ ended, stdout, stderr }) => {
        assert.deepEqual(await ended, [2, null])
        assert.match(stderr(), /The sandbox cannot start\.\n.*live payment settings \(ONOMA_PAY_TO\)/)
        assert.equal(stdout(), '')
        assert.deepEqual(readdirSync(folder), [])
      },
    )
  })

  test('--help prints the usage, and an invalid option prints the reason and the usage', async () => {
    await withSandbox(['--help'], {}, async ({ ended, stdout }) => {
      assert.deepEqual(await ended, [0, null])
      assert.match(stdout(), /^usage: npm run sandbox/)
    })
    await withSandbox(['--seed', 'many'], {}, async ({ ended, stderr }) => {
      assert.deepEqual(await ended, [2, null])
      assert.match(stderr(), /--seed must be a whole number[^]*usage:/)
    })
  })
})

suite('npm run refresh:tlds against the sandbox', () => {
  let world: World
  let data: string
  before(async () => {
    world = await startWorld([iana], { seed: 3, wait: async () => {} })
    data = join(world.folder, 'iana', 'tlds.json')
    copyFileSync(SHIPPED, data)
  })
  after(() => world.stop())

  const refreshFrom = async (script: string) => {
    const lines: string[] = []
    const code = await refreshTlds(
      ['--write', '--data', data, '--from', `${world.simulators[0]!.addresses['files']}/${script}`],
      {
        print: (line) => void lines.push(line),
        timeoutMs: script.startsWith('hang') ? 50 : 60_000,
      },
    )
    return { code, text: lines.join('\n') }
  }
  const isUntouched = () => {
    assert.equal(readFileSync(data, 'utf8'), readFileSync(SHIPPED, 'utf8'))
    assert.deepEqual(readdirSync(join(data, '..')), ['tlds.json'])
  }

  const late: readonly string[] = ['slow', 'drip']
  for (const script of ['', ...late]) {
    test(`finds no change${script && ` when the files are ${script === 'slow' ? 'delayed' : 'sent in small pieces'}`}`, async () => {
      const { code, text } = await refreshFrom(script)
      assert.match(text, /Nothing changed\.$/)
      assert.equal(code, 0)
      isUntouched()
    })
  }

  for (const word of OUTCOME_WORDS.filter((word) => !late.includes(word))) {
    for (const script of [word, `${word}-rdap`, `${word}-root`]) {
      test(`rejects ${script} and leaves the data file unchanged`, async () => {
        const { code, text } = await refreshFrom(script)
        assert.match(text, /the data file is unchanged/)
        assert.equal(code, 1)
        isUntouched()
      })
    }
  }
})

/** Collects the output of a child; `ended` resolves to its exit code and signal. */
function watch(child: ChildProcess) {
  const output = { stdout: '', stderr: '' }
  const changes = new EventTarget()
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]!.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      changes.dispatchEvent(new Event('change'))
    })
  }
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  let over = false
  const end = () => {
    over = true
    changes.dispatchEvent(new Event('change'))
  }
  void ended.then(end, end)
  return {
    child,
    ended,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    /** All of standard output, once it matches. */
    async waitForOutput(pattern: RegExp): Promise<string> {
      while (!pattern.test(output.stdout)) {
        if (over)
          throw new Error(`The sandbox ended without printing ${String(pattern)}:\n${output.stdout}${output.stderr}`)
        await once(changes, 'change')
      }
      return output.stdout
    },
  }
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url)
  await response.body?.cancel()
  return response.status
}
