import type { Server } from './server.ts'

/** The browser. Each suite starts its own, isolated from the others; without the font, pages show no text. */
export const chromium: Server = {
  name: 'chromium',
  packages: ['chromium-headless-shell', 'fonts-liberation'],
  program: 'chromium-headless-shell',
}
