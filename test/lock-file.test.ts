import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Package = {
  readonly optional?: boolean
  readonly resolved?: string
  readonly engines?: Readonly<Record<string, string>>
}

const lockFiles = ['package-lock.json', 'bench/peers/package-lock.json']
const packagesOf = (file: string) =>
  Object.entries(
    (JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as { packages: Record<string, Package> })
      .packages,
  )

test('no lock file says where a package is fetched from: that is for the machine to decide', () => {
  for (const file of lockFiles) {
    const fixed = packagesOf(file).filter(([, { resolved }]) => resolved !== undefined)
    assert.deepEqual(fixed, [], file)
  }
})

// npm runs on whatever Node is there, while the project runs on the one it brings. npm leaves out an optional package
// silently where the lock file says that it wants a newer Node than npm has; then the chain of the sandbox is missing.
test('no optional package of the chain is left out where npm itself runs on an older Node', () => {
  const picky = packagesOf('package-lock.json').filter(
    ([name, { optional, engines }]) => optional === true && engines !== undefined && name.includes('/edr-'),
  )
  assert.deepEqual(
    picky.map(([name]) => name),
    [],
    'take `engines` of these out of package-lock.json',
  )
})
