// Preloaded into the programs of the test (NODE_OPTIONS=--import): hosts in TEST_HOSTS are ports on this machine.
import { Socket } from 'node:net'

/** @type {Record<string, number>} */
const ports = JSON.parse(process.env['TEST_HOSTS'] ?? '{}')
const { connect } = Socket.prototype

// Names still come from the URL: TLS checks the certificate for the name that was asked for.
Socket.prototype.connect = function (/** @type {any[]} */ ...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0]
  const port = ports[`${options?.host}:${options?.port}`]
  if (port !== undefined) Object.assign(options, { host: '127.0.0.1', port })
  return Reflect.apply(connect, this, args)
}
