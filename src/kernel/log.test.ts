import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type LogLevel } from './log.ts'

const written = (level: LogLevel, write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] => {
  const lines: string[] = []
  write(createLog(level, { write: (line: string) => void lines.push(line) }))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line is JSON with a time, a level, the fields and a message', () => {
  const [line] = written('info', (log) => log.info({ port: 8080 }, 'Ready.'))
  assert.equal(new Date(line!['time'] as string).toISOString(), line!['time'])
  assert.deepEqual({ ...line, time: '' }, { level: 'info', time: '', port: 8080, message: 'Ready.' })
})

test('a secret in the fields is redacted, also one level down', () => {
  const facts = {
    token: 'hunter2',
    upstream: { apiKey: 'hunter2', authorization: 'hunter2' },
    registration_id: 'hunter2',
  }
  const [line] = written('info', (log) => log.info(facts, 'Asked.'))
  assert.doesNotMatch(JSON.stringify(line), /hunter2/)
  assert.equal(line!['token'], '[hidden]')
})

test('an error is logged with its chain of causes', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const [line] = written('error', (log) => log.error({ error: new Error('outer', { cause }) }, 'Broke.'))
  const chain = line!['error'] as { message: string; code?: string; stack: string }[]
  assert.deepEqual(
    chain.map(({ message, code }) => [message, code]),
    [
      ['outer', undefined],
      ['refused', 'ECONNREFUSED'],
    ],
  )
  assert.match(chain[0]!.stack, /log\.test\.ts/)
})

test('a circular chain of causes is cut off', () => {
  const error = new Error('round')
  error.cause = error
  const [line] = written('error', (log) => log.error({ error }, 'Broke.'))
  assert.equal((line!['error'] as unknown[]).length, 5)
})

test('a thrown value that is not an Error is logged', () => {
  const [line] = written('error', (log) => log.error({ error: { odd: true } }, 'Broke.'))
  assert.equal(line!['error'], '{ odd: true }')
})

test('lines below the level are not written', () => {
  assert.deepEqual(
    written('warn', (log) => {
      log.debug({}, 'a')
      log.info({}, 'b')
    }),
    [],
  )
})
