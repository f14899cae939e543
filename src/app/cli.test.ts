import assert from 'node:assert/strict'
import test from 'node:test'
import * as z from 'zod'
import { endpoint, route } from '../kernel/endpoint.ts'
import type { Parts } from './cli.ts'
import { dispatch } from './cli.ts'
import type { Config } from './settings/config.ts'

const ping = endpoint({
  name: 'ping',
  capability: { name: 'health', description: 'For tests.' },
  command: 'ping',
  method: 'GET',
  path: '/ping',
  summary: 'Answer',
  description: 'Nothing more.',
  input: z.object({}),
  output: z.object({ rate: z.number() }),
  errors: [],
  rate: 'free',
  example: { input: {}, output: { rate: 60 } },
})

/** Runs one command line with fake parts and records the outcome. */
async function onoma(argv: string[], env: Record<string, string> = {}, fromEnvFile: string[] = []) {
  const seen: string[] = []
  const written = { stdout: '', stderr: '' }
  const io = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
    env,
    signal: new AbortController().signal,
  }
  const run: Parts = {
    serve: async ({ port }) => void seen.push(`serve on ${port}`),
    serveMcp: async ({ logLevel }) => void seen.push(`mcp at ${logLevel}`),
    compose: async (config: Config) => ({
      routes: [route(ping, () => ({ rate: config.rateLimit ?? 0 }))],
      close: async () => void seen.push('closed'),
    }),
  }
  const code = await dispatch(argv, io, { run, fromEnvFile: new Set(fromEnvFile) })
  return { code, seen, ...written }
}

test('serve and mcp get the configuration and keep the process running', async () => {
  assert.deepEqual(await onoma(['serve'], { PORT: '9000' }), {
    code: undefined,
    seen: ['serve on 9000'],
    stdout: '',
    stderr: '',
  })
  assert.deepEqual((await onoma(['mcp'], { ONOMA_LOG_LEVEL: 'warn' })).seen, ['mcp at warn'])
})

test('a command runs over the composed routes, which are closed afterwards', async () => {
  const ran = await onoma(['ping'], { ONOMA_RATE_LIMIT: '7' })
  assert.deepEqual(ran, { code: 0, seen: ['closed'], stdout: '{"rate":7}\n', stderr: '' })
  assert.deepEqual((await onoma(['pong'])).seen, ['closed'])
})

for (const argv of ['serve', 'mcp', 'config', 'ping']) {
  test(`onoma ${argv} does not run with invalid settings and reports every problem`, async () => {
    const ended = await onoma([argv], { PORT: 'x', ONOMA_RATELIMIT: '7' })
    assert.equal(ended.code, 2)
    assert.deepEqual(ended.seen, [])
    assert.equal(ended.stdout, '')
    assert.equal(ended.stderr.trim().split('\n').length, 2)
  })
}

for (const argv of [
  '--help',
  'help',
  '-h',
  'ping --help',
  'help ping',
  'serve --help',
  'help serve',
  'mcp --help',
  'config -h',
]) {
  test(`onoma ${argv} shows help even if a setting is invalid`, async () => {
    const { code, stdout, seen } = await onoma(argv.split(' '), { PORT: 'x' })
    assert.equal(code, 0)
    assert.match(stdout, /^Usage: onoma/)
    assert.ok(!seen.some((call) => call.startsWith('serve')))
  })
}

test('without a command all commands are listed', async () => {
  const { code, stdout } = await onoma([])
  assert.equal(code, 0)
  for (const word of ['serve', 'mcp', 'config', 'version', 'ping']) assert.match(stdout, new RegExp(`^  ${word} `, 'm'))
})

test('the help of mcp says that paid tools are free there', async () => {
  assert.match((await onoma(['mcp', '--help'])).stdout, /Paid tools are free here/)
})

test('the help of serve names the main settings with their defaults', async () => {
  const { stdout } = await onoma(['serve', '--help'])
  assert.match(stdout, /PORT +Port of the API.*Default: 8080\./)
  assert.match(stdout, /ONOMA_PUBLIC_URL .*Default: from HOST and PORT\./)
})

for (const argv of ['serve now', 'serve --port 80', 'version 2', 'config PORT', 'mcp --json=1']) {
  test(`onoma ${argv} is rejected`, async () => {
    const { code, seen, stderr } = await onoma(argv.split(' '))
    assert.equal(code, 2)
    assert.deepEqual(seen, [])
    assert.match(stderr, /too many|no option|no value/)
  })
}

test('the version is that of the package', async () => {
  assert.match((await onoma(['version'])).stdout, /^onoma \d+\.\d+\.\d+\n$/)
  assert.deepEqual(await onoma(['--version']), await onoma(['version']))
})

test('config is a table of setting, value, origin and meaning, with secrets masked', async () => {
  const { code, stdout, stderr } = await onoma(['config'], { PORT: '9000', HOST: '::1', ONOMA_REDIS_URL: 'hunter2' }, [
    'HOST',
  ])
  assert.equal(code, 0)
  assert.match(stdout, /^setting +value +from +meaning$/m)
  assert.match(stdout, /^PORT +9000 +environment +Port of the API\./m)
  assert.match(stdout, /^HOST +::1 +\.env file /m)
  assert.match(stdout, /^ONOMA_RATE_LIMIT +60 +default /m)
  assert.match(stdout, /^ONOMA_REDIS_URL +\*{8} +environment .*Not used by this version yet\.$/m)
  assert.equal(stderr, 'ONOMA_REDIS_URL is set, but this version does not use it yet.\n')
  assert.ok(!stdout.includes('hunter2'))
})

test('config --json has the same settings', async () => {
  const { settings } = JSON.parse((await onoma(['config', '--json'], { ONOMA_KEYS: 'hunter2hunter2hunter2' })).stdout)
  assert.deepEqual(settings[0], {
    setting: 'PORT',
    value: '8080',
    from: 'default',
    meaning: 'Port of the API. 0 lets the system choose one.',
  })
  assert.equal(settings.find((row: { setting: string }) => row.setting === 'ONOMA_KEYS').value, '********')
})

test('a command warns on standard error about settings without effect', async () => {
  const { code, stdout, stderr } = await onoma(['ping'], { ONOMA_WORKERS: '4' })
  assert.equal(code, 0)
  assert.equal(stdout, '{"rate":60}\n')
  assert.equal(stderr, 'ONOMA_WORKERS is set, but this version does not use it yet.\n')
})
