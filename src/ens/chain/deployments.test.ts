import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressProblem, MAINNET, parseContracts, registeringController, renewingController } from './deployments.ts'

const A = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const B = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

test('an empty file changes nothing', () => assert.deepEqual(parseContracts('{}'), { ok: true, contracts: MAINNET }))

test('a file overrides the mainnet addresses it names, and checksums are added', () => {
  const text = JSON.stringify({
    registry: A.toLowerCase(),
    controllers: { '2023': { address: A, resolver: B } },
    registersWith: '2023',
  })
  const reading = parseContracts(text)
  assert.ok(reading.ok)
  assert.equal(reading.contracts.registry, A)
  assert.equal(reading.contracts.registrar, MAINNET.registrar)
  assert.deepEqual(registeringController(reading.contracts), { kind: '2023', address: A, resolver: B })
  assert.deepEqual(reading.contracts.controllers['2025'], MAINNET.controllers['2025'])
})

test('a wrapped name is always renewed by the controller of 2023', () => {
  assert.equal(renewingController(MAINNET, true).kind, '2023')
  assert.equal(renewingController(MAINNET, false).kind, '2025')
  assert.equal(renewingController({ ...MAINNET, registersWith: '2023' }, false).kind, '2023')
})

const refused: [text: string, problem: RegExp][] = [
  ['{', /not JSON/],
  ['[]', /it must be an object/],
  ['{"registry": 1}', /registry must be a string/],
  ['{"registry": "0x12"}', /registry must be an Ethereum address/],
  [`{"registry": "${A.replace('C', 'c')}"}`, /registry does not match its EIP-55 checksum/],
  [`{"registry": "0x${'0'.repeat(40)}"}`, /registry must not be the zero address/],
  [`{"registery": "${A}"}`, /registery is not a known key; did you mean registry\?/],
  ['{"bananas": "0x"}', /bananas is not a known key\.$/],
  [
    `{"controllers": {"2025": {"address": "${A}"}}}`,
    /controllers\.2025\.resolver is missing: give address and resolver together/,
  ],
  [`{"controllers": {"2025": {"adress": "${A}", "resolver": "${A}"}}}`, /controllers\.2025\.adress .*mean address/],
  [
    `{"controllers": {"2024": {"address": "${A}", "resolver": "${B}"}}}`,
    /controllers\.2024 is not a known key; did you mean 202/,
  ],
  [`{"controllers": {"2025": {"address": "${A}", "resolver": 1}}}`, /controllers\.2025\.resolver must be a string/],
  ['{"registersWith": "2019"}', /registersWith must be one of 2023, 2025/],
]
for (const [text, problem] of refused) {
  test(`${text.slice(0, 60)} is rejected: ${problem.source}`, () => {
    const reading = parseContracts(text)
    assert.ok(!reading.ok)
    assert.ok(
      reading.problems.some((each) => problem.test(each)),
      reading.problems.join('\n'),
    )
  })
}

test('all problems of a file are reported at once', () => {
  const reading = parseContracts('{"registry": "x", "wraper": "y"}')
  assert.equal(!reading.ok && reading.problems.length, 2)
})

test('an address is accepted in lower case, in upper case or with its checksum', () => {
  for (const text of [A, A.toLowerCase(), `0x${A.slice(2).toUpperCase()}`])
    assert.equal(addressProblem(text), undefined)
  for (const text of [A.slice(2), `${A}0`, A.slice(0, -1), `0X${A.slice(2)}`, '', 'example.eth'])
    assert.match(addressProblem(text) ?? '', /40 hexadecimal/)
  assert.match(addressProblem(A.replace('d', 'D')) ?? '', /checksum/)
})
