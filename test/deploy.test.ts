import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { SETTINGS } from '../src/app/settings/table.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

suite('compose.yaml', () => {
  const compose = read('compose.yaml')

  test('names only files of this repository and settings that exist', () => {
    const files = [...compose.matchAll(/(?:seccomp=|- )(\.\/[\w./-]+)/g)].map(([, file]) => file!)
    assert.deepEqual(files.toSorted(), ['./deploy/seccomp.json', './deploy/searxng/settings.yml'].toSorted())
    for (const file of files) assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), file)
    const settings = new Set(compose.match(/\bONOMA_[A-Z_]+/g))
    for (const name of settings) assert.ok(name in SETTINGS, name)
    // An address for one kind of engine would be used for every other kind, too.
    assert.doesNotMatch(compose, /^ +ONOMA_/m)
  })

  test('publishes ports on this machine only', () => {
    const ports = [...compose.matchAll(/^ +- (\S+:\d+:\d+)$/gm)].map(([, port]) => port!)
    assert.equal(ports.length, 2)
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
  })

  test('has a SearXNG that answers in JSON', () => {
    assert.match(read('deploy/searxng/settings.yml'), /^search:\n {2}formats:\n(?: {4}- \w+\n)* {4}- json$/m)
  })
})

suite('deploy/seccomp.json', () => {
  type Profile = { defaultAction: string; syscalls: { names: string[]; action: string }[] }
  const { defaultAction, syscalls } = JSON.parse(read('deploy/seccomp.json')) as Profile
  const allowed = new Set(syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW').flatMap(({ names }) => names))

  test('allows what the sandbox of Chromium needs', () => {
    for (const name of ['clone', 'clone3', 'unshare', 'setns', 'chroot', 'seccomp', 'prctl'])
      assert.ok(allowed.has(name), name)
  })

  test('forbids what a user namespace makes dangerous, and all that is not listed', () => {
    assert.equal(defaultAction, 'SCMP_ACT_ERRNO')
    assert.ok(syscalls.every(({ action }) => action === 'SCMP_ACT_ALLOW'))
    const forbidden =
      'mount umount2 pivot_root move_mount open_tree fsopen fsmount mount_setattr bpf perf_event_open ptrace userfaultfd ' +
      'io_uring_setup keyctl add_key request_key kexec_load init_module finit_module reboot swapon open_by_handle_at ' +
      'process_vm_readv process_vm_writev pidfd_getfd iopl ioperm settimeofday clock_settime acct quotactl syslog'
    for (const name of forbidden.split(' ')) assert.ok(!allowed.has(name), name)
  })
})

suite('deploy/systemd/onoma.service', () => {
  const unit = read('deploy/systemd/onoma.service')
  const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('['))
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))
  const root = join(import.meta.dirname, '..')

  test('starts the service of a checkout, with settings that exist', () => {
    const [folder] = valuesOf('WorkingDirectory')
    const [node, script, command] = valuesOf('ExecStart')[0]!.split(' ')
    assert.deepEqual([node, command], [`${folder}/node_modules/.bin/node`, 'serve'])
    for (const file of [node!, script!]) assert.ok(existsSync(file.replace(folder!, root)), file)
    for (const name of unit.match(/\bONOMA_[A-Z_]+/g) ?? []) assert.ok(name in SETTINGS, name)
  })

  test('writes to its data directory only, as an unprivileged user', () => {
    assert.deepEqual(valuesOf('User'), ['onoma'])
    assert.deepEqual(valuesOf('ProtectSystem'), ['strict'])
    assert.deepEqual(valuesOf('NoNewPrivileges'), ['yes'])
    assert.deepEqual(valuesOf('CapabilityBoundingSet'), [''])
    assert.ok(valuesOf('Environment').includes(`ONOMA_DATA_DIR=/var/lib/${valuesOf('StateDirectory')[0]}`))
    assert.deepEqual(valuesOf('ReadWritePaths'), [])
  })

  test('allows what the sandbox of Chromium needs, and what compiles JavaScript', () => {
    assert.deepEqual(valuesOf('RestrictNamespaces'), ['user pid net'])
    assert.deepEqual(valuesOf('SystemCallFilter'), ['@system-service seccomp chroot'])
    assert.deepEqual(valuesOf('MemoryDenyWriteExecute'), [])
  })

  test('waits for the graceful stop that docs/self-hosting.md describes', () => {
    const drainSeconds = Number(SETTINGS['ONOMA_DRAIN_SECONDS'].default)
    const [, moreSeconds] = /to at least (\d+) s more/.exec(read('docs/self-hosting.md'))!
    assert.ok(Number(valuesOf('TimeoutStopSec')[0]) >= drainSeconds + Number(moreSeconds))
    assert.deepEqual(valuesOf('KillMode'), ['mixed'])
  })

  test('is a unit that systemd understands, where there is a systemd', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-unit-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'onoma.service')
    writeFileSync(file, unit.replaceAll('/srv/onoma', root))
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    if (error && 'code' in error && error.code === 'ENOENT') return
    assert.deepEqual([status, stderr.split('\n').filter((line) => line.includes('onoma.service'))], [0, []])
  })
})
