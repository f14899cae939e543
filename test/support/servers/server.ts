/**
 * A real program that suites talk to. To add one:
 *   1. write `test/support/servers/<name>.ts` that exports such a value (`nginx.ts` is one),
 *   2. list it in `index.ts`,
 *   3. write `// needs: <name>` on a line of its own at the head of each suite that talks to it,
 *      and let that suite read `serverFor('<name>')` from `for-suites.ts`.
 * `npm test` does the rest: it installs the packages where it may, starts the server before the suites that need it
 * and stops it afterwards, however the run ends.
 */
export type Server = {
  readonly name: string
  /** The Debian packages that bring it. */
  readonly packages: readonly string[]
  /** A name looked for on PATH and in sbin, or a full path, which may hold a star where Debian puts a version. */
  readonly program: string
  /**
   * Starts one server for the whole run, on loopback and a port above 1024, with all its files in `dir` (new, empty,
   * deleted afterwards). Left out where each suite starts its own; the suite is then handed the program's path.
   */
  start?(program: string, dir: string): Promise<RunningServer>
}

export type RunningServer = {
  /** What a suite needs to reach it: a URL, or host:port. */
  readonly address: string
  stop(): Promise<void>
}
