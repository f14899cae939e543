import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import data from '../../data/parking-services.json' with { type: 'json' }
import { serviceOfAddress, serviceOfLander, serviceOfNameserver, serviceOfScript } from './services.ts'

suite('a parking service is recognized', () => {
  test('by name server, matched at label boundaries', () => {
    assert.equal(serviceOfNameserver('ns1.sedoparking.com', 'example.com')?.strength, 'strong')
    assert.equal(serviceOfNameserver('ns1.notsedoparking.com', 'example.com'), undefined)
    assert.equal(serviceOfNameserver('expired-domain-ns1.fabulous.com', 'example.com')?.strength, 'strong')
    assert.equal(serviceOfNameserver('ns1.fabulous.com', 'example.com'), undefined)
  })
  test('name servers of ordinary registrars are a weak mark', () => {
    for (const server of ['dns1.registrar-servers.com', 'ns1.dns-parking.com', 'ns1.wordpress.com'])
      assert.equal(serviceOfNameserver(server, 'example.com')?.strength, 'weak')
    assert.equal(serviceOfNameserver('ns01.domaincontrol.com', 'example.com'), undefined)
  })
  test('by IPv4 and IPv6 address', () => {
    assert.equal(serviceOfAddress('185.53.177.9', 'example.com')?.strength, 'strong')
    assert.equal(serviceOfAddress('2a05:d014:9da:8c10:306e:3e07:a16f:a552', 'example.com')?.strength, 'strong')
    assert.equal(serviceOfAddress('203.0.113.9', 'example.com'), undefined)
    assert.equal(serviceOfAddress('not an address', 'example.com'), undefined)
  })
  test('by hosts of scripts and landers', () => {
    assert.equal(serviceOfScript('img.sedoparking.com', 'example.com')?.name, 'Sedo')
    assert.equal(serviceOfLander('hugedomains.com', 'example.com')?.kind, 'marketplace')
    assert.equal(serviceOfLander('example.net', 'example.com'), undefined)
  })
  test('but not for its own domain', () => {
    assert.equal(serviceOfNameserver('ns1.dan.com', 'dan.com'), undefined)
    assert.equal(serviceOfScript('img.sedoparking.com', 'sedo.com'), undefined)
    assert.equal(serviceOfLander('forsale.godaddy.com', 'godaddy.com'), undefined)
  })
})

test('the list holds each service once, with valid host names in lower case', () => {
  const names = data.services.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const service of data.services) {
    assert.ok(['marketplace', 'parking', 'placeholder'].includes(service.kind), service.name)
    assert.ok(['strong', 'medium', 'weak'].includes(service.strength), service.name)
    for (const key of ['nameservers', 'cnames', 'scripts', 'landers'] as const)
      for (const host of ((service as Record<string, unknown>)[key] as string[]) ?? [])
        assert.match(host, /^[a-z0-9*-]+(\.[a-z0-9-]+)+$/, `${service.name}: ${host}`)
  }
})
