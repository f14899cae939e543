import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Names of the Chromium executable, the smallest build first. */
const PROGRAMS = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'headless_shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

type SearchOptions = {
  /** A configured path or program name. */
  readonly given?: string | undefined
  /** The value of PATH. */
  readonly path: string
}

/** The path of a Chromium; null if not found. A configured Chromium is never replaced by another one. */
export function findChromium({ given, path }: SearchOptions): string | null {
  const folders = path.split(delimiter).filter(Boolean)
  const paths = (given ? [given] : PROGRAMS).flatMap((program) =>
    program.includes('/') ? [program] : folders.map((folder) => join(folder, program)),
  )
  return paths.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
