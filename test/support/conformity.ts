import assert from 'node:assert/strict'
import * as z from 'zod'
import type { Route } from '../../src/kernel/endpoint.ts'
import { type DocumentInfo, openapiDocument } from '../../src/surfaces/openapi/document.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import { follow, type Operation, type Response } from '../openapi/document-reader.ts'

type HttpReply = { readonly status: number; readonly headers: Headers; readonly text: string }
type HttpRequest = { readonly method?: string | undefined; readonly path: string }

/** Headers of every HTTP server, and those for browsers that every response has. */
const COMMON_HEADERS =
  /^(?:access-control-.*|connection|content-(?:encoding|length|type)|date|keep-alive|transfer-encoding|vary|x-accel-buffering|x-content-type-options)$/

/**
 * Checks responses against the OpenAPI document of the routes: the status, the media type, the body with all its fields,
 * and every header must be documented. Every test that sends requests through a door checks the document this way.
 */
export function createConformity(routes: readonly Route[], info: Partial<DocumentInfo> = {}) {
  let conformity: ReturnType<typeof conformTo> | undefined
  return {
    check(request: HttpRequest, reply: HttpReply): void {
      conformity ??= conformTo(openapiDocument(routes, { version: '0', publicUrl: 'http://127.0.0.1', ...info }))
      conformity.check(request, reply)
    },
  }
}

/** Checks responses against an OpenAPI document, such as the one that a service serves. */
export function conformTo(document: Json) {
  const validators = new Map<string, z.ZodType>()

  function check({ method = 'GET', path }: HttpRequest, reply: HttpReply): void {
    const operation = operationAt(document, method === 'HEAD' ? 'GET' : method, path.split('?')[0]!)
    if (!operation) return
    const { status, headers, text } = reply
    const where = `${operation.operationId} ${status}`
    const found = operation.responses[status]
    assert.ok(found, `${where} is not in the OpenAPI document: ${text.slice(0, 300)}`)
    const response = follow(document, found) as Response
    for (const name of headers.keys()) {
      const isDocumented = Object.keys(response.headers).some((header) => header.toLowerCase() === name)
      assert.ok(
        isDocumented || COMMON_HEADERS.test(name),
        `${where} has a header ${name} that is not in the OpenAPI document`,
      )
    }
    if (method === 'HEAD' || status === 304) return
    const type = headers.get('content-type')?.split(';')[0] ?? 'none'
    if (type in (response['x-streams'] ?? {})) return
    const media = response.content?.[type]
    assert.ok(media, `${where} is ${type}, which is not in the OpenAPI document`)
    if (!/[/+]json$/.test(type)) return
    const body: unknown = JSON.parse(text)
    const key = `${where} ${type}`
    let validator = validators.get(key)
    if (!validator) validators.set(key, (validator = createValidator(document, media.schema)))
    const parsed = validator.safeParse(body)
    assert.ok(parsed.success, `${where} does not match the OpenAPI document: ${text.slice(0, 300)} ${parsed.error}`)
    if (status < 400) return
    const documented = fieldNames(document, media.schema)
    const undocumented = Object.keys(body as object).filter((name) => !documented.has(name))
    assert.deepEqual(undocumented, [], `${where} has fields that are not in the OpenAPI document`)
  }
  return { check }
}

function operationAt(document: Json, method: string, path: string): Operation | undefined {
  const paths = document['paths'] as Record<string, Record<string, Operation>>
  const bare = path === '/' ? path : path.replace(/\/$/, '')
  const matches = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare)
  const found = bare in paths ? bare : Object.keys(paths).find(matches)
  if (found === undefined || method === 'OPTIONS') return undefined
  // A wrong method gets the same response at every operation of the path.
  const { servers: _, ...operations } = paths[found]!
  // An address that lacks only its parameter belongs to the operation with the parameter, which says that it is missing.
  const longer = Object.keys(paths).find((template) => template.replace(/\/\{\w+\}$/, '') === bare && template !== bare)
  if (!(method.toLowerCase() in operations) && longer) return operationAt(document, method, `${bare}/x`)
  return operations[method.toLowerCase()] ?? Object.values(operations)[0]
}

function createValidator(document: Json, schema: Json): z.ZodType {
  const { schemas } = document['components'] as { schemas: Json }
  const local = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  return z.fromJSONSchema(JSON.parse(local) as Parameters<typeof z.fromJSONSchema>[0])
}

function fieldNames(document: Json, schema: Json): Set<string> {
  const { properties = {}, allOf = [], anyOf = [] } = follow(document, schema)
  const inner = [...(allOf as Json[]), ...(anyOf as Json[])].flatMap((one) => [...fieldNames(document, one)])
  return new Set([...Object.keys(properties as object), ...inner])
}
