import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { inputSchema, outputSchema } from './schema.ts'
import { isTool, toolOf } from './tools.ts'

const look = endpoint({
  name: 'look',
  capability: { name: 'look', description: 'For tests.' },
  method: 'GET',
  path: '/v1/look',
  summary: 'Look at a name',
  description: 'Slowly.',
  input: z.object({ name: z.string().meta({ description: 'The name.' }) }),
  output: z.object({ seen: z.boolean() }),
  errors: ['invalid_name', 'timeout'],
  failsAs: 'timeout',
  rate: 'counted',
  tool: true,
  example: { input: { name: 'example' }, output: { seen: true } },
})
const annotationsOf = (changes: Partial<Endpoint>) => toolOf({ ...(look as Endpoint), ...changes }).annotations

test('the description of a tool says in one line what it does, costs and how it fails', () => {
  assert.equal(toolOf(look).description, 'Look at a name. Slowly. Errors: invalid_name, timeout.')
  const paid = toolOf({ ...look, errors: [], failsAs: 'timeout', price: { usd: '0.05' } })
  assert.equal(paid.description, 'Look at a name. Slowly. Paid: $0.05. Errors: timeout.')
  const free = toolOf({ ...look, errors: [], failsAs: 'timeout', price: { usd: '0.05' } }, { isFree: true })
  assert.equal(free.description, 'Look at a name. Slowly. Free here; over HTTP $0.05. Errors: timeout.')
  const tiers = toolOf({ ...look, price: { by: 'tier', usd: { quick: '0.02', full: '0.08' } } })
  assert.match(tiers.description!, /Paid: quick \$0\.02, full \$0\.08\./)
})

test('read-only and closed-world tools are annotated as such', () => {
  assert.deepEqual(annotationsOf({}), { readOnlyHint: true, idempotentHint: true, openWorldHint: true })
  const { failsAs: _, ...inside } = look
  assert.equal(toolOf(inside).annotations!.openWorldHint, false)
  assert.deepEqual(annotationsOf({ method: 'POST' }), {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  })
})

test('an endpoint is a tool if its contract says so, whatever its rate limit', () => {
  const { tool: _, ...untold } = look
  assert.deepEqual([isTool(look), isTool({ ...look, rate: 'free' }), isTool(untold)], [true, true, false])
})

test('the input schema keeps every description, limit and default, and has no references', () => {
  const Color = z.enum(['red', 'blue']).meta({ id: 'ToolTestColor', description: 'A color.', examples: ['red'] })
  assert.deepEqual(
    inputSchema(
      z.object({
        color: Color,
        other: Color.optional(),
        depth: z
          .int()
          .min(1)
          .default(2)
          .meta({ description: 'How deep.', examples: [1, 2, 3] }),
        since: z.iso.datetime().optional(),
      }),
    ),
    {
      type: 'object',
      properties: {
        color: { type: 'string', enum: ['red', 'blue'], description: 'A color.' },
        other: { type: 'string', enum: ['red', 'blue'], description: 'A color.' },
        depth: { type: 'integer', minimum: 1, default: 2, description: 'How deep.', examples: [1] },
        since: { type: 'string', format: 'date-time' },
      },
      required: ['color'],
    },
  )
})

test('the output schema is an object without descriptions that allows further fields', () => {
  const Leaf = z.object({ description: z.string().meta({ description: 'Text.' }) }).meta({ id: 'ToolTestLeaf' })
  const letters = z.enum(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
  assert.deepEqual(
    outputSchema(
      z.union([Leaf, z.object({ leaves: z.array(Leaf), count: z.int(), few: z.enum(['x', 'y']), letters })]),
    ),
    {
      type: 'object',
      anyOf: [
        { $ref: '#/$defs/ToolTestLeaf' },
        {
          type: 'object',
          properties: {
            leaves: { type: 'array', items: { $ref: '#/$defs/ToolTestLeaf' } },
            count: { type: 'integer' },
            few: { type: 'string', enum: ['x', 'y'] },
            letters: { type: 'string' },
          },
          required: ['leaves', 'count', 'few', 'letters'],
        },
      ],
      $defs: {
        ToolTestLeaf: {
          type: 'object',
          properties: { description: { type: 'string' } },
          required: ['description'],
        },
      },
    },
  )
  assert.throws(() => outputSchema(z.array(z.string())), /must be a JSON object/)
  assert.throws(() => outputSchema(z.union([Leaf, z.string()])), /must be a JSON object/)
})
