import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

test('answers are counted by endpoint, door and status, and timed by endpoint', async () => {
  const metrics = createMetrics()
  metrics.answered('listTlds', 'http', 200, 0.0005)
  metrics.answered('listTlds', 'http', 200, 0.02)
  metrics.answered('listTlds', 'mcp', 429, 99)
  const text = await metrics.text()
  for (const line of [
    'onoma_requests_total{endpoint="listTlds",door="http",status="200"} 2',
    'onoma_requests_total{endpoint="listTlds",door="mcp",status="429"} 1',
    '# TYPE onoma_request_seconds histogram',
    'onoma_request_seconds_bucket{le="0.001",endpoint="listTlds"} 1',
    'onoma_request_seconds_bucket{le="0.01",endpoint="listTlds"} 1',
    'onoma_request_seconds_bucket{le="0.025",endpoint="listTlds"} 2',
    'onoma_request_seconds_bucket{le="30",endpoint="listTlds"} 2',
    'onoma_request_seconds_bucket{le="+Inf",endpoint="listTlds"} 3',
    'onoma_request_seconds_sum{endpoint="listTlds"} 99.0205',
    'onoma_request_seconds_count{endpoint="listTlds"} 3',
  ]) {
    assert.ok(
      text.split('\n').includes(line),
      `${line}\n${text
        .split('\n')
        .filter((one) => one.startsWith('onoma'))
        .join('\n')}`,
    )
  }
})

test('a scrape does not count requests twice', async () => {
  const metrics = createMetrics()
  metrics.answered('health', 'http', 200, 0.1)
  await metrics.text()
  metrics.answered('health', 'http', 200, 0.1)
  assert.match(await metrics.text(), /onoma_requests_total\{endpoint="health",door="http",status="200"\} 2\n/)
})

test('gauges are read at a scrape, and refused connections are counted by reason', async () => {
  const metrics = createMetrics()
  let size = 1
  metrics.gauge('onoma_test_size', 'For the test', () => size)
  metrics.refusedConnection('too_slow')
  size = 7
  const text = await metrics.text()
  assert.match(text, /onoma_test_size 7\n/)
  assert.match(text, /onoma_connections_refused_total\{reason="too_slow"\} 1\n/)
})
