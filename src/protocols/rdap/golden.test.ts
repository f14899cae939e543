import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { RegistryAnswer } from '../../kernel/registration.ts'
import { parseRdap } from './parse.ts'

/** Answers in the formats of the main server families; all people and companies are invented. */
type Case = {
  about: string
  domain: string
  status: number
  contentType: string
  /** The body as JSON, or `text` if it is not JSON. */
  body?: unknown
  text?: string
  answer: RegistryAnswer
}

const folder = fileURLToPath(new URL('../../../test/golden/rdap/', import.meta.url))

suite('RDAP answers in the format of real registries', () => {
  for (const file of readdirSync(folder).toSorted()) {
    const golden = JSON.parse(readFileSync(folder + file, 'utf8')) as Case
    const { about, domain, status, contentType } = golden
    test(`${file.replace('.json', '')}: ${about}`, () => {
      const body = golden.text ?? JSON.stringify(golden.body)
      const answer = parseRdap(status, contentType, new TextEncoder().encode(body), domain)
      if (process.env['ONOMA_UPDATE_GOLDEN']) {
        writeFileSync(folder + file, `${JSON.stringify({ ...golden, answer }, null, 2)}\n`)
      }
      assert.deepEqual(answer, golden.answer, `${file} differs; ONOMA_UPDATE_GOLDEN=1 rewrites it`)
      assert.deepEqual(parseRdap(status, contentType, body, domain), answer, 'a text means what its bytes mean')
    })
  }
})
