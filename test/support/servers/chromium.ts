import type { Server } from './server.ts'

/** The browser. Each suite starts its own, with its own walls; the font gives its pages letters. */
export const chromium: Server = {
  name: 'chromium',
  packages: ['chromium-headless-shell', 'fonts-liberation'],
  program: 'chromium-headless-shell',
}
