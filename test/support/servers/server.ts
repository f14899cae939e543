/**
 * A real program that test suites use. To add one:
 *   1. create `test/support/servers/<name>.ts` that exports such a value, like `nginx.ts`,
 *   2. list it in `index.ts`,
 *   3. write `// needs: <name>` on its own line at the top of each suite that uses it,
 *      and get the server in that suite with `serverFor('<name>')` from `for-suites.ts`.
 * `npm test` does the rest: it installs the packages if it may, starts the server before the suites that need it, and
 * always stops it afterwards.
 */
export type Server = {
  readonly name: string
  /** The Debian packages that contain it. */
  readonly packages: readonly string[]
  /** A name to find on PATH and in sbin, or a full path, with `*` for a version number. */
  readonly program: string
  /**
   * Starts one server for the whole run, on loopback and a port above 1024, with all its files in `dir` (new, empty,
   * deleted afterwards). Missing if each suite starts its own; the suite then gets the program's path.
   */
  start?(program: string, dir: string): Promise<RunningServer>
}

export type RunningServer = {
  /** What a suite needs to reach it: a URL, or host:port. */
  readonly address: string
  stop(): Promise<void>
}
