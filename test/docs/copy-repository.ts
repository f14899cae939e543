import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './fences.ts'

/** Copies the repository as `git clone` and `npm ci` would leave it; node_modules is a link. */
export function copyRepository(folder: string): void {
  const skipped = new Set(['node_modules', '.git', 'var', 'coverage', '.env'].map((name) => join(ROOT, name)))
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !skipped.has(path) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}
