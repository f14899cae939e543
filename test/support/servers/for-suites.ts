/** A server as `npm test` passes it to a suite: its address, or why it is missing. */
export type ServerForSuite = {
  /** For the `skip` option of `suite` or `test`: the reason, or false if the server is available. */
  readonly skip: string | false
  /** Its address, or the program's path if the suite starts it itself. Empty if skipped. */
  readonly address: string
}

export const addressVariable = (name: string) => `TEST_SERVER_${name.toUpperCase()}`
export const absenceVariable = (name: string) => `${addressVariable(name)}_ABSENT`

export function serverFor(name: string, env: NodeJS.ProcessEnv = process.env): ServerForSuite {
  const address = env[addressVariable(name)]
  if (address !== undefined) return { skip: false, address }
  const absent = env[absenceVariable(name)]
  if (absent !== undefined) return { skip: absent, address: '' }
  // Under `npm test`, this means that the `needs` line at the top of the suite is missing.
  if (env['TEST_SERVERS'] !== undefined) throw new Error(`Write "// needs: ${name}" at the top of this suite.`)
  return { skip: `${name} is started by "npm test" only`, address: '' }
}
