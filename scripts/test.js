// The test command. Plain JavaScript, so that a Node too old to read TypeScript can still say what is wrong.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 11)) {
  console.error(
    `The tests need Node 24.11 or newer and this is ${process.version}: run them with "npm test" after "npm ci", which brings its own Node on Linux, and on Windows and macOS on x64.`,
  )
  process.exit(1)
}
// An option, because not every shell can set a variable for one command.
const golden = process.argv.indexOf('--update-golden')
if (golden !== -1) {
  process.argv.splice(golden, 1)
  process.env['ONOMA_UPDATE_GOLDEN'] = '1'
}
await import('./test/main.ts')
