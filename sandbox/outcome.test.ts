import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { OUTCOME_WORDS, outcomeOf, scriptOf } from './outcome.ts'

suite('the start of a name scripts the outcome', () => {
  test('only a word at the start counts, in any case', () => {
    assert.deepEqual(outcomeOf('hang-shop'), { kind: 'hang' })
    assert.deepEqual(outcomeOf('HangShop.com'), { kind: 'hang' })
    assert.deepEqual(outcomeOf('hang'), { kind: 'hang' })
    for (const name of ['', 'shop', 'my-hang', 'www.hang.com', '5slow', 'ok']) {
      assert.deepEqual(outcomeOf(name), { kind: 'ok' }, name)
    }
  })

  test('a number directly after the word is its parameter', () => {
    assert.deepEqual(outcomeOf('slow-shop'), { kind: 'slow', ms: 2000 })
    assert.deepEqual(outcomeOf('slow250-shop'), { kind: 'slow', ms: 250 })
    assert.deepEqual(outcomeOf('slow-250'), { kind: 'slow', ms: 2000 })
    assert.deepEqual(outcomeOf('drip5'), { kind: 'drip', ms: 5 })
    assert.deepEqual(outcomeOf('throttled'), { kind: 'throttled', seconds: 30 })
    assert.deepEqual(outcomeOf('throttled120x'), { kind: 'throttled', seconds: 120 })
    assert.deepEqual(outcomeOf('huge3'), { kind: 'huge', bytes: 3 * 1024 * 1024 })
  })

  test('a number outside the range of the outcome is replaced by the default status', () => {
    assert.deepEqual(outcomeOf('denied401-shop'), { kind: 'denied', status: 401 })
    assert.deepEqual(outcomeOf('denied200-shop'), { kind: 'denied', status: 403 })
    assert.deepEqual(outcomeOf('broken502-shop'), { kind: 'broken', status: 502 })
    assert.deepEqual(outcomeOf('broken7-shop'), { kind: 'broken', status: 500 })
    assert.deepEqual(outcomeOf('broken200-shop'), { kind: 'broken', status: 500 })
  })

  test('a redirect points at a private address', () => {
    assert.deepEqual(outcomeOf('redirect-shop'), { kind: 'redirect', to: 'http://10.0.0.1/' })
  })

  test('a simulator may have its own words; the longest match wins', () => {
    assert.deepEqual(scriptOf('heldback7-shop', ['held', 'heldback']), { word: 'heldback', number: 7 })
    assert.deepEqual(scriptOf('held-shop', ['held', 'heldback']), { word: 'held', number: undefined })
    assert.equal(scriptOf('shop', ['held']), undefined)
  })

  test('docs/sandbox.md lists every word, in the same order', () => {
    const docs = readFileSync(new URL('../docs/sandbox.md', import.meta.url), 'utf8')
    const table = [...docs.matchAll(/^\| `([a-z]+)…` \|/gm)].map((match) => match[1])
    assert.deepEqual(table, OUTCOME_WORDS)
    for (const word of OUTCOME_WORDS) assert.equal(outcomeOf(word).kind, word)
  })
})
