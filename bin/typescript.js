// Lets the thread that imports it run our TypeScript under node_modules too, where Node does not take the types off.
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const ours = new URL('../src/', import.meta.url).href
// The first use warns that the function may change; the Node we bring is pinned, so nobody needs to read that.
const { emitWarning } = process
process.emitWarning = () => {}
module.stripTypeScriptTypes('')
process.emitWarning = emitWarning
module.registerHooks({
  load(url, context, next) {
    if (!url.startsWith(ours) || !url.endsWith('.ts')) return next(url, context)
    const source = module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', source, shortCircuit: true }
  },
})
