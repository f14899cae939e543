import type { Server } from './server.ts'

/** The command-line program that the pages name for backups. */
export const sqlite3: Server = { name: 'sqlite3', packages: ['sqlite3'], program: 'sqlite3' }
