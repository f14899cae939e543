import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { goodsOf, joinGoods } from './goods.ts'

suite('goods are those that are still covered', () => {
  const cases: [string, string][] = [
    ['EPOXY [ PRIMES ] * PRIMER *  AND COATINGS', 'EPOXY PRIMER AND COATINGS'],
    ['[SHOES; ] HATS', 'HATS'],
    ['[SHOES]; HATS', 'HATS'],
    ['SHOES; [HATS]; COATS', 'SHOES; COATS'],
    ['SHOES, [HATS,] AND COATS', 'SHOES, AND COATS'],
    ['SHOES[, HATS]', 'SHOES'],
    ['[ALL OF IT]', ''],
    ['A [B [C] D] E', 'A E'],
    ['SHOES ((HATS)) AND COATS', 'SHOES HATS AND COATS'],
    ['SHOES, ((HATS (STRAW) )), COATS', 'SHOES, HATS (STRAW), COATS'],
    ['*SHOES* AND *HATS*', 'SHOES AND HATS'],
    ['A * B', 'A * B'],
    ['A ] B [ C', 'A ] B [ C'],
    ['Software (SaaS); hats', 'Software (SaaS); hats'],
  ]
  for (const [statement, goods] of cases) test(`${statement} → ${goods}`, () => assert.equal(goodsOf(statement), goods))

  test('statements become one text, without duplicates and without deleted ones', () =>
    assert.equal(joinGoods(['SHOES.', '[HATS]', 'COATS;', 'SHOES.', 'BAGS.']), 'SHOES; COATS; BAGS.'))

  test('a text without special characters is unchanged, and any text takes linear time', () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replace(/[[(*]/g, '')),
        (text) => assert.equal(goodsOf(text), text),
      ),
    )
    assert.equal(joinGoods([`${';'.repeat(200_000)}A`, 'B']).length, 200_004)
    for (const sign of ['[', '((', '*', '[(((', ' ', '((a(b', ' ,'])
      assert.ok(goodsOf(`[x]${sign.repeat(200_000)}`).length > -1)
  })
})
