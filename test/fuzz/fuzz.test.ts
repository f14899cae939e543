import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createRequests } from './requests.ts'
import { fuzz, neverSucceeded } from './run.ts'

/** Short, because `npm run test:fuzz` sends 200,000. */
const REQUESTS = 3_000

suite('requests made from the OpenAPI document', () => {
  test('are answered as it says, and no log, metric or answer shows a secret or a value of a request', async () => {
    const report = await fuzz({ seed: 7, requests: REQUESTS, clients: 24 })
    assert.deepEqual(report.problems, [])
    assert.equal(report.sent, REQUESTS)
    assert.ok(report.left > 0)
    // These need what only an earlier request gives: a registration id, a screenshot, a credit token.
    assert.deepEqual(neverSucceeded(report).toSorted(), ['prepareEnsRegister', 'screenshot', 'showCredit'])
  })

  test('depend on the seed and the index only', () => {
    const document = { paths: { '/a': { get: { operationId: 'a', parameters: PARAMETERS, responses: {} } } } }
    const [make, again, other] = [createRequests(document, 1), createRequests(document, 1), createRequests(document, 2)]
    const some = (from: typeof make) => [5, 3, 9, 3].map(from)
    assert.deepEqual(some(make), some(again))
    assert.notDeepEqual(some(make), some(other))
  })
})

const PARAMETERS = [{ name: 'domain', in: 'query', required: true, schema: { type: 'string' }, example: 'example.com' }]
