// The test command. Plain JavaScript, so that a Node too old to read TypeScript can still say what is wrong.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 11)) {
  console.error(
    `The tests need Node 24.11 or newer and this is ${process.version}: run them with "npm test" after "npm ci", which brings its own Node on Linux.`,
  )
  process.exit(1)
}
await import('./test/main.ts')
