import { mcpOverStdio } from '../../src/surfaces/mcp/stdio.ts'
import { createCall, syntheticRoutes, createObserver } from './mcp-server.fixture.ts'

/** Serves the synthetic tools over stdio; reports to the test on standard error. */
const observer = createObserver()
void observer.started.promise.then(() => process.stderr.write('waiting\n'))
void observer.aborted.promise.then(() => process.stderr.write('aborted\n'))

await mcpOverStdio(syntheticRoutes(observer), {
  version: '0.3.0',
  call: createCall(),
  stdin: process.stdin,
  stdout: process.stdout,
  onerror: (error) => process.stderr.write(`${String(error)}\n`),
})
process.stderr.write('closed\n')
