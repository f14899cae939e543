import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Finding, Source } from './probe.ts'
import { nextSource, type Progress } from './plan.ts'
import { type LookupPolicy, decideVerdict } from './verdict.ts'

const policies = {
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

describe('verdicts', () => {
  /** Each row: the answers of the sources in order, then the verdict and its source. */
  const rows: [policy: keyof typeof policies, answers: [Source, Finding['says']][], state: string, source: Source][] = [
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
  for (const [kind, answers, state, source] of rows) {
    const words = answers.map(([from, says]) => `${from} ${says}`).join(', ')
    test(`${kind}: ${words} is ${state} by ${source}`, () => {
      const policy = policies[kind]
      const findings: Finding[] = []
      for (const [from, says] of answers) {
        assert.equal(nextSource(policy, progress(findings)), from)
        findings.push(finding(from, says))
      }
      assert.equal(nextSource(policy, progress(findings)), undefined, 'no other source is queried')
      const verdict = decideVerdict(policy, 'name', findings)
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
  assert.equal(decideVerdict(policies.rdap, 'name', findings).failure, 'rate_limited')
})

test('labels that all generic registries reserve are reserved, even if the registry does not say so', () => {
  const free = [finding('dns', 'not_delegated'), finding('rdap', 'available')]
  assert.equal(decideVerdict(policies.rdap, 'example', free).state, 'reserved')
  assert.equal(decideVerdict({ ...policies.rdap, type: 'ccTLD' }, 'example', free).state, 'available')
  assert.equal(decideVerdict({ ...policies.rdap, tld: 'com' }, 'a', free).state, 'reserved')
  assert.equal(decideVerdict(policies.rdap, 'a', free).state, 'available')
})

test('a verdict is never cached longer than the registry allows', () => {
  const free = [finding('dns', 'not_delegated', { ttlMs: 900_000 }), finding('rdap', 'available', { ttlMs: 5_000 })]
  assert.equal(decideVerdict(policies.rdap, 'name', free).ttlMs, 5_000)
  assert.ok(decideVerdict(policies.rdap, 'name', [free[0]!, finding('rdap', 'available')]).ttlMs <= 60_000)
})

describe('WHOIS in place of an RDAP server that is down', () => {
  const notDelegated = finding('dns', 'not_delegated')
  const down = finding('rdap', 'unclear')
  const known = finding('whois', 'available', { wording: 'known' })

  test('decides that a name is available if the wording is known for the host and DNS has no delegation', () => {
    const verdict = decideVerdict(policies.rdap, 'name', [notDelegated, down, known])
    assert.deepEqual([verdict.state, verdict.source, verdict.confidence], ['available', 'whois', 'reduced'])
  })

  test('decides nothing if one of the three conditions is missing', () => {
    const rows: Record<string, Finding[]> = {
      'a wording not known for the host': [notDelegated, down, finding('whois', 'available')],
      'DNS could not tell': [finding('dns', 'unclear'), down, known],
      'RDAP has not failed': [notDelegated, known],
      'RDAP asks us to slow down': [notDelegated, finding('rdap', 'unclear', { failure: 'rate_limited' }), known],
    }
    for (const [row, findings] of Object.entries(rows))
      assert.equal(decideVerdict(policies.rdap, 'name', findings).state, 'unknown', row)
  })

  test('labels reserved by policy stay reserved', () => {
    assert.equal(decideVerdict(policies.rdap, 'example', [notDelegated, down, known]).state, 'reserved')
  })
})

describe('sources queried beside or after RDAP', () => {
  const notDelegated = finding('dns', 'not_delegated')
  const error = finding('rdap', 'unclear', { retryable: true })

  test('WHOIS is queried beside a slow RDAP server, and not earlier', () => {
    const underWay = new Set<Source>(['rdap'])
    assert.equal(nextSource(policies.rdap, progress([notDelegated], { underWay })), undefined)
    assert.equal(nextSource(policies.rdap, progress([notDelegated], { underWay, isSlow: true })), 'whois')
    assert.equal(nextSource(policies.rdapOnly, progress([notDelegated], { underWay, isSlow: true })), undefined)
  })

  test('RDAP is retried once after a temporary error if WHOIS is unclear, never twice', () => {
    const unclear = finding('whois', 'unclear')
    assert.equal(nextSource(policies.rdap, progress([notDelegated, error, unclear])), 'rdap')
    assert.equal(nextSource(policies.rdap, progress([notDelegated, finding('rdap', 'unclear'), unclear])), undefined)
    assert.equal(nextSource(policies.rdap, progress([notDelegated, error, unclear, error])), undefined)
    assert.equal(nextSource(policies.rdapOnly, progress([notDelegated, error])), undefined)
  })

  test('for a record, RDAP is queried beside DNS, and "available" waits for DNS', () => {
    const record = (findings: Finding[], ...underWay: Source[]) =>
      nextSource(policies.rdap, progress(findings, { wants: 'record', underWay: new Set(underWay) }))
    assert.equal(record([], 'dns'), 'rdap')
    assert.equal(record([finding('dns', 'registered')]), 'rdap')
    assert.equal(record([finding('rdap', 'available')], 'dns'), undefined)
  })
})

test('"available" comes only from the deciding source of the TLD, or from WHOIS in its place', () => {
  const says = fc.constantFrom<Finding['says']>('registered', 'available', 'reserved', 'not_delegated', 'unclear')
  const source = fc.constantFrom<Source>('dns', 'rdap', 'whois')
  const findings = fc.array(fc.tuple(source, says), { maxLength: 5 })
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(policies)), findings, (policy: LookupPolicy, answers) => {
      const verdict = decideVerdict(
        policy,
        'name',
        answers.map(([from, says]) => finding(from, says)),
      )
      if (verdict.state !== 'available') return
      assert.ok(!answers.some(([, says]) => says === 'registered'))
      if (verdict.confidence === 'reduced') return
      assert.equal(verdict.source, policy.lookup)
      const allowed = policy.lookup === 'dns' ? ['available', 'not_delegated'] : ['available']
      assert.ok(answers.some(([from, says]) => from === policy.lookup && allowed.includes(says)))
    }),
  )
})
