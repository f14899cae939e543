import assert from 'node:assert/strict'
import test from 'node:test'
import { closestMatch } from './closest-match.ts'

for (const [word, candidates, found] of [
  ['regster', ['tlds', 'register', 'health'], 'register'],
  ['tdls', ['tlds', 'health'], 'tlds'],
  ['tld', ['tlds', 'health'], 'tlds'],
  ['bananas', ['tlds', 'health'], undefined],
  ['x', ['tlds', 'y'], 'y'],
  ['ens regster check', ['ens register check', 'ens check'], 'ens register check'],
  ['a'.repeat(100_000), ['tlds'], undefined],
  ['', ['tlds'], undefined],
] as const) {
  test(`${JSON.stringify(word.slice(0, 20))} is ${found ? `taken for ${found}` : 'not taken for anything'}`, () =>
    assert.equal(closestMatch(word, candidates), found))
}
