import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Package = {
  readonly optional?: boolean
  readonly resolved?: string
  readonly engines?: Readonly<Record<string, string>>
}

const lockFiles = ['package-lock.json', 'bench/peers/package-lock.json', 'test/openapi/generators/package-lock.json']
const loadPackages = (file: string) =>
  Object.entries(
    (JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as { packages: Record<string, Package> })
      .packages,
  )

test('no lock file contains download URLs: the registry is a setting of the machine', () => {
  for (const file of lockFiles) {
    const fixed = loadPackages(file).filter(([, { resolved }]) => resolved !== undefined)
    assert.deepEqual(fixed, [], file)
  }
})

// npm may run on an older Node than the one the project installs. If the lock file has `engines` of an optional package,
// npm then skips that package silently, and the sandbox has no chain.
test('npm on an older Node installs the optional packages of the chain', () => {
  const withEngines = loadPackages('package-lock.json').filter(
    ([name, { optional, engines }]) => optional === true && engines !== undefined && name.includes('/edr-'),
  )
  assert.deepEqual(
    withEngines.map(([name]) => name),
    [],
    'remove `engines` of these packages from package-lock.json',
  )
})
