import { existsSync } from 'node:fs'
import { installPackages } from '../install-packages.ts'

const FOLDER = new URL('../peers/', import.meta.url)

/** Installs the peers on first use; they are not dependencies of the project. */
export async function installPeers(showProgress: (what: string) => void): Promise<void> {
  if (!existsSync(new URL('node_modules/.package-lock.json', FOLDER))) showProgress('installing the peers (npm ci)')
  await installPackages(FOLDER)
}
