import { readFileSync } from 'node:fs'
import { loadBundledRegistrars, parseRegistrars, type Registrar } from '../../registrars/links.ts'
import type { Config } from '../settings/config.ts'

type Needs = { readonly config: Pick<Config, 'registrarsFile'> }

/** The registrars that links are made for. */
export function openRegistrars({ config: { registrarsFile } }: Needs): readonly Registrar[] {
  if (registrarsFile === null) return loadBundledRegistrars()
  return parseRegistrars(readSettingFile('ONOMA_REGISTRARS', registrarsFile))
}

function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} names a file that cannot be read: ${path}`, { cause })
  }
}
