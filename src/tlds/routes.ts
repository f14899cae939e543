import { route, type Route } from '../kernel/endpoint.ts'
import { createTldAnswers } from './answers.ts'
import type { Catalogue } from './catalogue.ts'
import { listTlds, listTldsLegacy } from './contract.ts'

export function tldRoutes(catalogue: Catalogue): Route[] {
  const { answer, legacy } = createTldAnswers(catalogue)
  return [route(listTlds, answer), route(listTldsLegacy, () => legacy)]
}
