import { crc32, deflateRawSync } from 'node:zlib'

// zlib looks for the processor's own CRC instructions when it first compresses something, and not before: without this, a
// process that only unpacks and checks computes checksums at a sixth of the speed.
deflateRawSync('')

export { crc32 }
