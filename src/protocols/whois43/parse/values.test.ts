import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseHosts } from './hosts.ts'
import { meaningOf, normalizeKey } from './keys.ts'
import { isWithheld, looksLikeHandle, looksLikeOrganisation, readName } from './contact-names.ts'
import { parseStatuses } from './status.ts'
import { ATTRIBUTE_WORDS, FIELD_WORDS, ROLE_WORDS } from './vocabulary.ts'

test('status values are normalized to EPP if they match', () => {
  const statuses: [string, string[]][] = [
    ['clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited', ['clientDeleteProhibited']],
    ['CLIENT DELETE PROHIBITED', ['clientDeleteProhibited']],
    ['client_delete_prohibited,client_update_prohibited', ['clientDeleteProhibited', 'clientUpdateProhibited']],
    ['PENDING-DELETE', ['pendingDelete']],
    ['pendingDelete / redemptionPeriod', ['pendingDelete', 'redemptionPeriod']],
    ['clientHold serverHold', ['clientHold', 'serverHold']],
    ['serverUpdateProhibited (Locked by somebody) https://icann.org/epp#x (Locked)', ['serverUpdateProhibited']],
    ['ok (paid and in zone)', ['ok']],
    ['ok - Normal state.', ['ok']],
    ['ACTIVE', ['ok']],
    ['Connected (2027/03/31)', ['Connected']],
    ['REGISTERED, DELEGATED', ['REGISTERED', 'DELEGATED']],
    ['Registered until expiry date.', ['Registered until expiry date.']],
    ['to be released', ['to be released']],
    ['-', []],
    ['', []],
  ]
  for (const [said, expected] of statuses) assert.deepEqual(parseStatuses(said), expected, said)
})

test('name servers are in lower case, without addresses and trailing dots', () => {
  const values: [string, string[]][] = [
    ['NS1.EXAMPLE.COM', ['ns1.example.com']],
    ['ns1.example.com.', ['ns1.example.com']],
    ['ns1.example.com 192.0.2.1 2001:db8::1', ['ns1.example.com']],
    ['ns1.example.com (192.0.2.1, 192.0.2.2)', ['ns1.example.com']],
    ['ns1.example.com\t[192.0.2.1 2001:db8::1]', ['ns1.example.com']],
    ['ns1.example.com. - 192.0.2.1', ['ns1.example.com']],
    ['ns1.example.com [OK]', ['ns1.example.com']],
    ['- ns1.example.com', ['ns1.example.com']],
    ['ns1.example.com, ns2.example.com', ['ns1.example.com', 'ns2.example.com']],
    ['ns1.example.com ns2.example.com', ['ns1.example.com', 'ns2.example.com']],
    ['example.pt NS ns1.example.com.', ['ns1.example.com']],
    ['ns1.example.com | IPv4:  and IPv6: ', ['ns1.example.com']],
    ['without the written consent of example.com.', []],
    ['192.0.2.1', []],
    ['REG-HANDLE', []],
    ['', []],
  ]
  for (const [value, hosts] of values) assert.deepEqual(parseHosts(value), hosts, value)
})

suite('people', () => {
  test('placeholders for redacted names are recognised', () => {
    const withheld = [
      'REDACTED FOR PRIVACY',
      'Redacted | Registry Policy',
      'Not Disclosed - Visit www.example',
      'NOT DISCLOSED!',
      'N/A',
      'n/a',
      '-',
      '***N/A***',
      'Hidden upon user request',
      'Personal Information',
      'not published',
      'Data Protected',
      'GDPR Masked',
      'Please query the RDDS service',
      '',
    ]
    for (const value of withheld) assert.ok(isWithheld(value), value)
    for (const value of ['Private Person', 'Redmond Actors Ltd', 'Nadia', 'Notting Hill Books'])
      assert.ok(!isWithheld(value), value)
  })

  test('a name is parsed without its handle and email address', () => {
    assert.equal(readName('Ceibo Ejemplo  (ce1-adnic-o)  a@example.uy'), 'Ceibo Ejemplo')
    assert.equal(readName('MERLION PTE. LTD. (SGNIC-ORG0000001)'), 'MERLION PTE. LTD.')
    assert.equal(readName('Lin Li <lin@example.tw>'), 'Lin Li')
    assert.equal(readName('Association (ISOC-IL)'), 'Association (ISOC-IL)')
    assert.equal(readName('a@example.com'), undefined)
    assert.equal(readName('12345'), undefined)
  })

  test('a holder without a label is an organisation only if its name shows it', () => {
    for (const name of [
      'Example Inc.',
      'Beispiel GmbH',
      'Exemple S.A.',
      'University of Fenland',
      '例株式会社',
      'Přiklad s.r.o.',
    ]) {
      assert.ok(looksLikeOrganisation(name), name)
    }
    for (const name of ['Winifred Ashdown', 'Juan San Martín', 'Private Person', 'Li Na'])
      assert.ok(!looksLikeOrganisation(name), name)
  })

  test('handles are distinguished from names', () => {
    for (const handle of ['ER12589652-NICAT', 'MM12383', 'REG-MARKET', 'go438-irnic', 'H292913'])
      assert.ok(looksLikeHandle(handle), handle)
    for (const name of ['Example', 'ua.forward', 'Example Ltd', 'x']) assert.ok(!looksLikeHandle(name), name)
  })
})

suite('keys', () => {
  test('case, accents, punctuation and numbering do not matter', () => {
    assert.equal(normalizeKey('Name-Server_03'), 'name server')
    assert.equal(normalizeKey('ns1_hostname'), 'ns hostname')
    assert.equal(normalizeKey('Última Modificación'), 'ultima modificacion')
    assert.equal(normalizeKey('도메인이름'), '도메인이름')
  })

  test('a key has a role and a field', () => {
    const registrant = (attribute: string | undefined) => ({ of: 'role', role: 'registrant', attribute })
    assert.deepEqual(meaningOf('Registrant Contact Name'), registrant('name'))
    assert.deepEqual(meaningOf('registrant_contact_country'), registrant('country'))
    assert.deepEqual(meaningOf('Domain Holder Organization'), registrant('organization'))
    assert.deepEqual(meaningOf('Registry Registrant ID'), registrant('handle'))
    assert.deepEqual(meaningOf('Titular / Registrant'), registrant(undefined))
    assert.deepEqual(meaningOf('Holder English Name (as on the card, or elsewhere)'), registrant('name'))
    assert.deepEqual(meaningOf('Contacto Administrativo (Administrative Contact)'), {
      of: 'role',
      role: 'admin',
      attribute: undefined,
    })
    assert.deepEqual(meaningOf('Registrar Abuse Contact Email'), { of: 'role', role: 'abuse', attribute: 'email' })
    assert.deepEqual(meaningOf('Sponsoring Registrar IANA ID'), { of: 'role', role: 'registrar', attribute: 'ianaId' })
    assert.deepEqual(meaningOf('Expire (JJ/MM/AAAA)'), { of: 'domain', field: 'expires' })
    assert.deepEqual(meaningOf('Organisation'), { of: 'unspecified', attribute: 'organization' })
    assert.equal(meaningOf('Eligibility Type'), undefined)
    assert.equal(meaningOf('x'.repeat(500)), undefined)
  })

  test('every word of the vocabulary has exactly one meaning', () => {
    const lists = [FIELD_WORDS, ROLE_WORDS, ATTRIBUTE_WORDS].flatMap((table) => Object.entries(table))
    const seen = new Map<string, string>()
    for (const [meaning, words] of lists) {
      for (const word of words) {
        const key = normalizeKey(word)
        assert.equal(seen.get(key), undefined, `"${key}" is ${seen.get(key)} and ${meaning}`)
        seen.set(key, meaning)
      }
    }
  })
})
