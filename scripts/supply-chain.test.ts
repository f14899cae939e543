import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { describeAudit } from './audit.ts'
import { createSbom } from './sbom.ts'

suite('npm run sbom', () => {
  test('lists every dependency of the service with its version, and none of the tests', () => {
    const { bomFormat, components } = createSbom()
    assert.equal(bomFormat, 'CycloneDX')
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
    const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    type Versions = Record<string, string>
    const { dependencies, devDependencies } = JSON.parse(file) as { dependencies: Versions; devDependencies: Versions }
    for (const [name, version] of Object.entries(dependencies)) assert.ok(listed.has(`${name}@${version}`), name)
    assert.ok('hardhat' in devDependencies && !components.some(({ name }) => name === 'hardhat'))
  })
})

suite('npm run audit', () => {
  test('names each vulnerable package and exits with 1', () => {
    const vulnerabilities = { a: { name: 'a', severity: 'high', range: '<2.0.0' } }
    const { text, code } = describeAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities }))
    assert.equal(code, 1)
    assert.match(text, /^high: a <2\.0\.0\n1 vulnerable packages/)
  })

  test('without findings exits with 0', () => {
    assert.deepEqual(describeAudit('{"vulnerabilities":{}}'), { text: 'No known vulnerability.', code: 0 })
  })

  test('without the network, or at a registry without advisories, is not audited: exits with 2 and says why', () => {
    for (const offline of ['', 'npm error', '{"error":{"code":"ENOTFOUND","summary":"request failed"}}']) {
      const { text, code } = describeAudit(offline)
      assert.equal(code, 2)
      assert.match(text, /^Not audited: npm has no report\. .*network/)
    }
    const message = '405 Method Not Allowed - POST https://packages.example/advisories'
    assert.deepEqual(describeAudit(JSON.stringify({ message, statusCode: 405 })), {
      text: 'Not audited: 405 Method Not Allowed - POST the registry. Run it again where the network has a registry with advisories.',
      code: 2,
    })
  })
})
