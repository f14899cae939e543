import { route, type Route } from '../kernel/endpoint.ts'
import { createTldAnswers } from './answers.ts'
import type { Catalogue } from './catalogue.ts'
import { listSuffixes, listTlds, listTldsLegacy } from './contract.ts'

export function tldRoutes(catalogue: Catalogue): Route[] {
  const { answer, legacy, suffixes } = createTldAnswers(catalogue)
  return [route(listTlds, answer), route(listSuffixes, suffixes), route(listTldsLegacy, () => legacy)]
}
