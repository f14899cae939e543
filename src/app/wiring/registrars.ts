import { readFileSync } from 'node:fs'
import { loadBundledRegistrars, parseRegistrars } from '../../registrars/links.ts'
import type { Config } from '../settings/config.ts'

/** The registrars of the operator's file, or the bundled ones. */
export function loadRegistrars({ registrarsFile: path }: Pick<Config, 'registrarsFile'>) {
  return path === null ? loadBundledRegistrars() : parseRegistrars(readSettingFile('ONOMA_REGISTRARS', path))
}

function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} names a file that cannot be read: ${path}`, { cause })
  }
}
