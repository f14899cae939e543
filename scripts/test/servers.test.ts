import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverFor } from '../../test/support/servers/for-suites.ts'
import { findProgram } from '../../test/support/servers/process.ts'
import type { Server } from '../../test/support/servers/server.ts'
import { rootPrefix } from './debian.ts'
import { exitCode, mayInstall, prepareServers, skippedSuites, type Machine } from './servers.ts'
import type { Suite } from './suites.ts'

const nginx: Server = { name: 'nginx', packages: ['nginx'], program: 'nginx' }
const redis: Server = { name: 'redis', packages: ['redis', 'redis-tools'], program: 'redis' }
const suites: Suite[] = [
  { file: 'a.test.ts', needs: ['nginx'] },
  { file: 'b.test.ts', needs: [] },
  { file: 'c.test.ts', needs: ['nginx', 'redis'] },
]

/** A machine with these programs, where a package contains the program of the same name. */
function fakeMachine(
  programs: string[],
  { isRoot = true, mayInstall = true } = {},
): Machine & { installed: string[][]; events: string[] } {
  const installed: string[][] = []
  const events: string[] = []
  const install = (packages: readonly string[]) => {
    events.push(`install ${packages.join(' ')}`)
    installed.push([...packages])
    programs.push(...packages)
    return Promise.resolve()
  }
  return {
    installed,
    events,
    mayInstall,
    print: (line) => void events.push(line),
    find: (program) => (programs.includes(program) ? `/bin/${program}` : null),
    installer: () => (isRoot ? install : null),
    newFolder: (name) => Promise.resolve(`/folder/${name}`),
  }
}

test('an installed server is not installed again', async () => {
  const machine = fakeMachine(['nginx'])
  const { env, absent } = await prepareServers([nginx], suites, machine)
  assert.deepEqual(machine.installed, [])
  assert.equal(absent.size, 0)
  assert.deepEqual(serverFor('nginx', env), { skip: false, address: '/bin/nginx' })
})

test('all missing packages are installed with one command', async () => {
  const machine = fakeMachine([])
  const { absent } = await prepareServers([nginx, redis], suites, machine)
  assert.deepEqual(machine.installed, [['nginx', 'redis', 'redis-tools']])
  assert.equal(absent.size, 0)
})

test('packages and their reason are printed before they are installed', async () => {
  const machine = fakeMachine([])
  await prepareServers([nginx, redis], suites, machine)
  assert.deepEqual(machine.events, [
    'Some tests need a real server. Installing these Debian packages now:',
    '  nginx: nginx, for a.test.ts and 1 more',
    '  redis, redis-tools: redis, for c.test.ts',
    'With ONOMA_TEST_SETUP=off nothing is installed and these tests are skipped.',
    'install nginx redis redis-tools',
  ])
})

test('nothing is printed if nothing is missing', async () => {
  const machine = fakeMachine(['nginx'])
  await prepareServers([nginx], suites, machine)
  assert.deepEqual(machine.events, [])
})

for (const [name, machine, reason] of [
  [
    'a user who cannot install packages gets the command for root, and the suite is skipped',
    fakeMachine([], { isRoot: false }),
    /cannot be installed by this user on this system \(as root on Debian: apt-get install nginx\)/,
  ],
  [
    'with ONOMA_TEST_SETUP=off nothing is installed, and the missing packages are named',
    fakeMachine([], { mayInstall: false }),
    /ONOMA_TEST_SETUP=off forbids installing it \(as root: apt-get install nginx\)/,
  ],
] as const) {
  test(name, async () => {
    const { env, absent } = await prepareServers([nginx], suites, machine)
    assert.deepEqual(machine.installed, [])
    assert.match(absent.get('nginx') ?? '', reason)
    const { skip, address } = serverFor('nginx', env)
    assert.match(String(skip), /^nginx: it is not installed/)
    assert.equal(address, '')
  })
}

test('ONOMA_TEST_SETUP is on by default, and a misspelt value is an error', () => {
  assert.deepEqual(
    [undefined, '', 'on', 'off'].map((value) => mayInstall(value)),
    [true, true, true, false],
  )
  assert.throws(() => mayInstall('of'), /ONOMA_TEST_SETUP is "of"; it must be on or off/)
})

test('a failed installation is reported with the message of the package manager', async () => {
  const machine = { ...fakeMachine([]), installer: () => () => Promise.reject(new Error('E: no space left')) }
  const { absent } = await prepareServers([nginx], suites, machine)
  assert.equal(absent.get('nginx'), 'it could not be installed: E: no space left')
})

test('a server is started in its own folder, its address passed to the suites, and stopped at the end', async () => {
  const events: string[] = []
  const shared = (name: string): Server => ({
    ...nginx,
    name,
    start(program, dir) {
      events.push(`start ${program} in ${dir}`)
      return Promise.resolve({ address: `127.0.0.1:1`, stop: () => Promise.resolve(void events.push(`stop ${name}`)) })
    },
  })
  const broken: Server = { ...nginx, name: 'broken', start: () => Promise.reject(new Error('no')) }
  const { env, absent, stop } = await prepareServers([shared('a'), broken, shared('b')], [], fakeMachine(['nginx']))
  await stop()
  assert.deepEqual(events, ['start /bin/nginx in /folder/a', 'start /bin/nginx in /folder/b', 'stop b', 'stop a'])
  assert.equal(serverFor('a', env).address, '127.0.0.1:1')
  assert.deepEqual([...absent], [['broken', 'no']])
})

test('a suite that does not declare its server fails, and without the test command it is skipped', () => {
  assert.throws(() => serverFor('nginx', { TEST_SERVERS: '' }), /Write "\/\/ needs: nginx"/)
  assert.match(String(serverFor('nginx', {}).skip), /npm test/)
})

test('a skipped suite is named with its reason, and fails the run only in CI', () => {
  const skipped = skippedSuites(suites.slice(0, 2), new Map([['nginx', 'not installed']]))
  assert.deepEqual(skipped, ['a.test.ts needs nginx: not installed'])
  assert.equal(exitCode(0, skipped, true), 1)
  assert.equal(exitCode(0, skipped, false), 0)
  assert.equal(exitCode(0, [], true), 0)
  assert.equal(exitCode(7, [], false), 7)
})

test('packages are installed by root, or with passwordless sudo', () => {
  const never = () => assert.fail('root needs no sudo')
  assert.deepEqual(rootPrefix(0, never), [])
  assert.deepEqual(
    rootPrefix(1000, () => true),
    ['sudo', '--non-interactive'],
  )
  assert.equal(
    rootPrefix(1000, () => false),
    null,
  )
})

test('a program is found on PATH, in sbin, or by a full path with a star in it', () => {
  const { execPath } = process
  assert.equal(findProgram('node', execPath.slice(0, execPath.lastIndexOf('/'))), execPath)
  assert.equal(findProgram(execPath.replace(/node$/, 'nod*')), execPath)
  assert.equal(findProgram('no-such-program'), null)
})
