import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredNeeds, neededServers, selectSuites, type Suite } from './suites.ts'

const suites: Suite[] = [
  { file: 'src/kernel/names.test.ts', needs: [] },
  { file: 'test/http/tlds.test.ts', needs: ['redis'] },
  { file: 'test/proxy.test.ts', needs: ['nginx', 'redis'] },
]
const files = (patterns: string[]) => selectSuites(suites, patterns).map(({ file }) => file)

test('a suite declares the servers it needs on lines of their own', () => {
  assert.deepEqual(declaredNeeds("// needs: nginx, redis\nimport x from 'y'\n// needs: unbound\n"), [
    'nginx',
    'redis',
    'unbound',
  ])
  assert.deepEqual(declaredNeeds("const text = '// needs: nginx'\n"), [])
})

test('without a pattern every suite runs', () => {
  assert.equal(files([]).length, 3)
})

test('a suite is chosen by its file, its folder, a part of its path or a glob', () => {
  assert.deepEqual(files(['test/proxy.test.ts']), ['test/proxy.test.ts'])
  assert.deepEqual(files(['./test/http']), ['test/http/tlds.test.ts'])
  assert.deepEqual(files(['names', 'proxy']), ['src/kernel/names.test.ts', 'test/proxy.test.ts'])
  assert.deepEqual(files(['test/**/*.test.ts']), ['test/http/tlds.test.ts', 'test/proxy.test.ts'])
  assert.deepEqual(files(['nothing']), [])
})

test('a server that several suites need is prepared once, and one that no suite needs is not', () => {
  const servers = [{ name: 'nginx' }, { name: 'redis' }, { name: 'unbound' }]
  assert.deepEqual(neededServers(suites, servers), [{ name: 'nginx' }, { name: 'redis' }])
  assert.deepEqual(neededServers(suites.slice(0, 1), servers), [])
})

test('an unknown server is an error that names the suite', () => {
  assert.throws(() => neededServers(suites, [{ name: 'redis' }]), /test\/proxy\.test\.ts needs "nginx".*\(redis\)/)
})
