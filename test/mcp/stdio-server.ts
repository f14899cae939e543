import { mcpOverStdio } from '../../src/surfaces/mcp/stdio.ts'
import { callWith, syntheticRoutes, waiting } from './world.ts'

/** The made-up tools over the pipes of this process; what a test wants to see from outside goes to standard error. */
const watched = waiting()
void watched.started.promise.then(() => process.stderr.write('waiting\n'))
void watched.aborted.promise.then(() => process.stderr.write('aborted\n'))

await mcpOverStdio(syntheticRoutes(watched), {
  version: '0.3.0',
  call: callWith(),
  stdin: process.stdin,
  stdout: process.stdout,
  onerror: (error) => process.stderr.write(`${String(error)}\n`),
})
process.stderr.write('closed\n')
