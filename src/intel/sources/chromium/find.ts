import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { placesOf, type Machine } from './places.ts'

export type Files = {
  isProgram(path: string): boolean
  /** The names in a folder; empty if the folder does not exist. */
  list(folder: string): readonly string[]
}

type SearchOptions = {
  /** A configured path or program name. */
  readonly given?: string | undefined
  readonly machine: Machine
  readonly files?: Files
}

/**
 * The path of a Chromium; null if not found. A configured Chromium is never replaced by another one. Otherwise the first
 * of: PATH, the store of Playwright (its newest version), and where the system's installers put one.
 */
export function findChromium({ given, machine, files = systemFiles }: SearchOptions): string | null {
  const places = placesOf(machine, files.list)
  const paths =
    given === undefined ? [...places.onPath(), ...places.inStore(), ...places.installed()] : places.onPath(given)
  return paths.find((path) => files.isProgram(path)) ?? null
}

const systemFiles: Files = {
  isProgram(path) {
    try {
      accessSync(path, constants.X_OK)
      return statSync(path).isFile()
    } catch {
      return false
    }
  },
  list(folder) {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  },
}
