import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Finding, Source } from './probe.ts'
import { nextSource, type Progress } from './plan.ts'
import { type LookupPolicy, decideVerdict } from './verdict.ts'

const routes = {
  rdap: { tld: 'dev', type: 'gTLD', lookup: 'rdap', hasWhois: true },
  rdapOnly: { tld: 'app', type: 'gTLD', lookup: 'rdap', hasWhois: false },
  whois: { tld: 'ru', type: 'ccTLD', lookup: 'whois', hasWhois: true },
  dns: { tld: 'es', type: 'ccTLD', lookup: 'dns', hasWhois: false },
} as const satisfies Record<string, LookupPolicy>

const finding = (source: Source, says: Finding['says'], more: Partial<Finding> = {}): Finding => ({
  says,
  ...(says === 'unclear' && { failure: 'upstream_error' }),
  evidence: { source, server: 's', question: 'q', outcome: 'o', at: '2026-11-15T12:00:00.000Z', ms: 1 },
  ...more,
})

const progress = (findings: readonly Finding[], more: Partial<Progress> = {}): Progress => ({
  wants: 'verdict',
  findings,
  underWay: new Set(),
  isSlow: false,
  ...more,
})

describe('how a verdict is reached', () => {
  /** Each row: what the sources say in turn, then the verdict and its source. */
  const rows: [route: keyof typeof routes, said: [Source, Finding['says']][], state: string, source: Source][] = [
    ['rdap', [['dns', 'registered']], 'registered', 'dns'],
    [
      'rdap',
      [
        ['dns', 'not_delegated'],
        ['rdap', 'available'],
      ],
      'available',
      'rdap',
    ],
    [
      'rdap',
      [
        ['dns', 'not_delegated'],
        ['rdap', 'registered'],
      ],
      'registered',
      'rdap',
    ],
    [
      'rdap',
      [
        ['dns', 'not_delegated'],
        ['rdap', 'reserved'],
      ],
      'reserved',
      'rdap',
    ],
    [
      'rdap',
      [
        ['dns', 'unclear'],
        ['rdap', 'available'],
      ],
      'available',
      'rdap',
    ],
    [
      'rdap',
      [
        ['dns', 'not_delegated'],
        ['rdap', 'unclear'],
        ['whois', 'registered'],
      ],
      'registered',
      'whois',
    ],
    [
      'rdap',
      [
        ['dns', 'not_delegated'],
        ['rdap', 'unclear'],
        ['whois', 'available'],
      ],
      'unknown',
      'rdap',
    ],
    [
      'rdap',
      [
        ['dns', 'not_delegated'],
        ['rdap', 'unclear'],
        ['whois', 'unclear'],
      ],
      'unknown',
      'rdap',
    ],
    [
      'rdapOnly',
      [
        ['dns', 'not_delegated'],
        ['rdap', 'unclear'],
      ],
      'unknown',
      'rdap',
    ],
    ['whois', [['dns', 'registered']], 'registered', 'dns'],
    [
      'whois',
      [
        ['dns', 'not_delegated'],
        ['whois', 'available'],
      ],
      'available',
      'whois',
    ],
    [
      'whois',
      [
        ['dns', 'unclear'],
        ['whois', 'registered'],
      ],
      'registered',
      'whois',
    ],
    [
      'whois',
      [
        ['dns', 'not_delegated'],
        ['whois', 'unclear'],
      ],
      'unknown',
      'whois',
    ],
    ['dns', [['dns', 'registered']], 'registered', 'dns'],
    ['dns', [['dns', 'not_delegated']], 'available', 'dns'],
    ['dns', [['dns', 'unclear']], 'unknown', 'dns'],
  ]
  for (const [kind, said, state, source] of rows) {
    const words = said.map(([who, says]) => `${who} ${says}`).join(', ')
    test(`${kind}: ${words} is ${state} by ${source}`, () => {
      const route = routes[kind]
      const findings: Finding[] = []
      for (const [who, says] of said) {
        assert.equal(nextSource(route, progress(findings)), who)
        findings.push(finding(who, says))
      }
      assert.equal(nextSource(route, progress(findings)), undefined, 'nobody else is asked')
      const verdict = decideVerdict(route, 'name', findings)
      assert.deepEqual([verdict.state, verdict.source], [state, source])
      assert.equal(verdict.failure !== undefined, state === 'unknown')
      assert.equal(verdict.ttlMs > 0, state !== 'unknown')
    })
  }
})

test('an unknown name carries the failure of the source that could have decided', () => {
  const findings = [
    finding('dns', 'not_delegated'),
    finding('rdap', 'unclear', { failure: 'rate_limited' }),
    finding('whois', 'unclear', { failure: 'timeout' }),
  ]
  assert.equal(decideVerdict(routes.rdap, 'name', findings).failure, 'rate_limited')
})

test('labels every generic registry keeps back are reserved, whatever the registry fails to say', () => {
  const free = [finding('dns', 'not_delegated'), finding('rdap', 'available')]
  assert.equal(decideVerdict(routes.rdap, 'example', free).state, 'reserved')
  assert.equal(decideVerdict({ ...routes.rdap, type: 'ccTLD' }, 'example', free).state, 'available')
  assert.equal(decideVerdict({ ...routes.rdap, tld: 'com' }, 'a', free).state, 'reserved')
  assert.equal(decideVerdict(routes.rdap, 'a', free).state, 'available')
})

test('an answer is never kept longer than the registry allows', () => {
  const free = [finding('dns', 'not_delegated', { ttlMs: 900_000 }), finding('rdap', 'available', { ttlMs: 5_000 })]
  assert.equal(decideVerdict(routes.rdap, 'name', free).ttlMs, 5_000)
  assert.ok(decideVerdict(routes.rdap, 'name', [free[0]!, finding('rdap', 'available')]).ttlMs <= 60_000)
})

describe('WHOIS in place of an RDAP server that is down', () => {
  const notDelegated = finding('dns', 'not_delegated')
  const down = finding('rdap', 'unclear')
  const known = finding('whois', 'available', { wording: 'known' })

  test('decides that a name is available in a wording known for the host, while DNS has no delegation', () => {
    const verdict = decideVerdict(routes.rdap, 'name', [notDelegated, down, known])
    assert.deepEqual([verdict.state, verdict.source, verdict.confidence], ['available', 'whois', 'reduced'])
  })

  test('decides nothing where any of the three is missing', () => {
    const rows: Record<string, Finding[]> = {
      'a wording not known for the host': [notDelegated, down, finding('whois', 'available')],
      'DNS could not tell': [finding('dns', 'unclear'), down, known],
      'RDAP has not failed': [notDelegated, known],
      'RDAP asks us to slow down': [notDelegated, finding('rdap', 'unclear', { failure: 'rate_limited' }), known],
    }
    for (const [row, findings] of Object.entries(rows))
      assert.equal(decideVerdict(routes.rdap, 'name', findings).state, 'unknown', row)
  })

  test('labels kept back by policy stay reserved', () => {
    assert.equal(decideVerdict(routes.rdap, 'example', [notDelegated, down, known]).state, 'reserved')
  })
})

describe('who is asked beside or after RDAP', () => {
  const notDelegated = finding('dns', 'not_delegated')
  const error = finding('rdap', 'unclear', { retryable: true })

  test('WHOIS is asked beside an RDAP server that is slow, and not before', () => {
    const underWay = new Set<Source>(['rdap'])
    assert.equal(nextSource(routes.rdap, progress([notDelegated], { underWay })), undefined)
    assert.equal(nextSource(routes.rdap, progress([notDelegated], { underWay, isSlow: true })), 'whois')
    assert.equal(nextSource(routes.rdapOnly, progress([notDelegated], { underWay, isSlow: true })), undefined)
  })

  test('RDAP is asked once more where its error may pass and WHOIS could not tell, never a third time', () => {
    const unclear = finding('whois', 'unclear')
    assert.equal(nextSource(routes.rdap, progress([notDelegated, error, unclear])), 'rdap')
    assert.equal(nextSource(routes.rdap, progress([notDelegated, finding('rdap', 'unclear'), unclear])), undefined)
    assert.equal(nextSource(routes.rdap, progress([notDelegated, error, unclear, error])), undefined)
    assert.equal(nextSource(routes.rdapOnly, progress([notDelegated, error])), undefined)
  })

  test('a record is asked for beside DNS, and DNS is waited for before a name is called available', () => {
    const record = (findings: Finding[], ...underWay: Source[]) =>
      nextSource(routes.rdap, progress(findings, { wants: 'record', underWay: new Set(underWay) }))
    assert.equal(record([], 'dns'), 'rdap')
    assert.equal(record([finding('dns', 'registered')]), 'rdap')
    assert.equal(record([finding('rdap', 'available')], 'dns'), undefined)
  })
})

test('available is only ever said on the word of the source the registry lets decide, or of WHOIS in its place', () => {
  const says = fc.constantFrom<Finding['says']>('registered', 'available', 'reserved', 'not_delegated', 'unclear')
  const source = fc.constantFrom<Source>('dns', 'rdap', 'whois')
  const findings = fc.array(fc.tuple(source, says), { maxLength: 5 })
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(routes)), findings, (route: LookupPolicy, said) => {
      const verdict = decideVerdict(
        route,
        'name',
        said.map(([who, what]) => finding(who, what)),
      )
      if (verdict.state !== 'available') return
      assert.ok(!said.some(([, what]) => what === 'registered'))
      if (verdict.confidence === 'reduced') return
      assert.equal(verdict.source, route.lookup)
      const word = route.lookup === 'dns' ? ['available', 'not_delegated'] : ['available']
      assert.ok(said.some(([who, what]) => who === route.lookup && word.includes(what)))
    }),
  )
})
