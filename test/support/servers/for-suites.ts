/** What `npm test` tells a suite about a server: where it is, or why it is not there. */
export type ServerForSuite = {
  /** For the `skip` option of `suite` or `test`: the reason, or false when the server is there. */
  readonly skip: string | false
  /** Its address; the program's path where the suite starts it itself. Empty when skipped. */
  readonly address: string
}

export const addressVariable = (name: string) => `TEST_SERVER_${name.toUpperCase()}`
export const absenceVariable = (name: string) => `${addressVariable(name)}_ABSENT`

export function serverFor(name: string, env: NodeJS.ProcessEnv = process.env): ServerForSuite {
  const address = env[addressVariable(name)]
  if (address !== undefined) return { skip: false, address }
  const absent = env[absenceVariable(name)]
  if (absent !== undefined) return { skip: absent, address: '' }
  // Under the test command this can only mean that the line at the head of the suite is missing.
  if (env['TEST_SERVERS'] !== undefined) throw new Error(`Write "// needs: ${name}" at the head of this suite.`)
  return { skip: `${name} is started by "npm test" only`, address: '' }
}
