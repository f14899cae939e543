/** Writes the generated files of the SDK. `npm run build:sdk`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, sdkFiles } from './sdk-types.ts'

const ROOT = join(import.meta.dirname, '..')
const document = JSON.parse(readFileSync(join(ROOT, 'test/golden/openapi.json'), 'utf8')) as Document
for (const [name, text] of Object.entries(sdkFiles(document))) writeFileSync(join(ROOT, 'sdk', name), text)
