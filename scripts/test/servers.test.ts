import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverFor } from '../../test/support/servers/for-suites.ts'
import { findProgram } from '../../test/support/servers/process.ts'
import type { Server } from '../../test/support/servers/server.ts'
import { rootPrefix } from './debian.ts'
import { exitCode, prepareServers, skippedSuites, type Machine } from './servers.ts'

const nginx: Server = { name: 'nginx', packages: ['nginx'], program: 'nginx' }

/** A machine with some programs, on which installing brings exactly the programs named like the packages. */
function fakeMachine(programs: string[], mayInstall = true): Machine & { installed: string[][] } {
  const installed: string[][] = []
  const install = (packages: readonly string[]) => {
    installed.push([...packages])
    programs.push(...packages)
    return Promise.resolve()
  }
  return {
    installed,
    find: (program) => (programs.includes(program) ? `/bin/${program}` : null),
    installer: () => (mayInstall ? install : null),
    newFolder: (name) => Promise.resolve(`/folder/${name}`),
  }
}

test('a server that is there is not installed again', async () => {
  const machine = fakeMachine(['nginx'])
  const { env, absent } = await prepareServers([nginx], machine)
  assert.deepEqual(machine.installed, [])
  assert.equal(absent.size, 0)
  assert.deepEqual(serverFor('nginx', env), { skip: false, address: '/bin/nginx' })
})

test('what is missing is installed in one go where that is allowed', async () => {
  const machine = fakeMachine([])
  const { absent } = await prepareServers([nginx, { name: 'redis', packages: ['redis'], program: 'redis' }], machine)
  assert.deepEqual(machine.installed, [['nginx', 'redis']])
  assert.equal(absent.size, 0)
})

test('where installing is not allowed the suite is skipped and told how the server could come', async () => {
  const { env, absent } = await prepareServers([nginx], fakeMachine([], false))
  assert.match(absent.get('nginx') ?? '', /may not install it \(as root: apt-get install nginx\)/)
  const { skip, address } = serverFor('nginx', env)
  assert.match(String(skip), /^nginx: it is not installed/)
  assert.equal(address, '')
})

test('a failed install keeps the complaint of the package manager', async () => {
  const machine = { ...fakeMachine([]), installer: () => () => Promise.reject(new Error('E: no space left')) }
  const { absent } = await prepareServers([nginx], machine)
  assert.equal(absent.get('nginx'), 'it could not be installed: E: no space left')
})

test('a server is started in a folder of its own, handed over by address and stopped at the end', async () => {
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
  const { env, absent, stop } = await prepareServers([shared('a'), broken, shared('b')], fakeMachine(['nginx']))
  await stop()
  assert.deepEqual(events, ['start /bin/nginx in /folder/a', 'start /bin/nginx in /folder/b', 'stop b', 'stop a'])
  assert.equal(serverFor('a', env).address, '127.0.0.1:1')
  assert.deepEqual([...absent], [['broken', 'no']])
})

test('a suite that forgot to declare its need is told so, and one run without the test command is skipped', () => {
  assert.throws(() => serverFor('nginx', { TEST_SERVERS: '' }), /Write "\/\/ needs: nginx"/)
  assert.match(String(serverFor('nginx', {}).skip), /npm test/)
})

test('a skipped suite is named with its reason, and fails the run only in CI', () => {
  const suites = [
    { file: 'a.test.ts', needs: ['nginx'] },
    { file: 'b.test.ts', needs: [] },
  ]
  const skipped = skippedSuites(suites, new Map([['nginx', 'not installed']]))
  assert.deepEqual(skipped, ['a.test.ts needs nginx: not installed'])
  assert.equal(exitCode(0, skipped, true), 1)
  assert.equal(exitCode(0, skipped, false), 0)
  assert.equal(exitCode(0, [], true), 0)
  assert.equal(exitCode(7, [], false), 7)
})

test('packages are installed by root, or by whom sudo lets without a password', () => {
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
