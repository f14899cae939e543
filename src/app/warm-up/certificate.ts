import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A private key and a self-signed certificate, in PEM. Clients must be given it as a CA. */
export type Certificate = { readonly key: string; readonly cert: string }

const SEQUENCE = 0x30
const SET = 0x31
const BOOLEAN = 0x01
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT = 0x06
const UTF8 = 0x0c
const TIME = 0x18
const within = (number: number): number => 0xa0 | number
const alternative = (number: number): number => 0x80 | number

/** Encodes one DER value: tag, length, content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** Object identifiers in DER. */
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT, Buffer.from('2a8648ce3d040302', 'hex')))
const COMMON_NAME = der(OBJECT, Buffer.from('550403', 'hex'))
const BASIC_CONSTRAINTS = der(OBJECT, Buffer.from('551d13', 'hex'))
const ALTERNATIVE_NAMES = der(OBJECT, Buffer.from('551d11', 'hex'))
const TRUE = der(BOOLEAN, Buffer.from([0xff]))

/** A new self-signed certificate for these names and for loopback, valid from 2020 to 2120. */
export function throwAwayCertificate(hostnames: readonly string[] = ['localhost']): Certificate {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  // Two certificates of one name in one file of trusted ones would be mistaken for each other.
  const owner = Buffer.from(`Onoma sandbox ${hostnames[0]}`)
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, owner))))
  const time = (text: string) => der(TIME, Buffer.from(text))
  const names = der(
    SEQUENCE,
    ...hostnames.map((hostname) => der(alternative(2), Buffer.from(hostname))),
    der(alternative(7), Buffer.from([127, 0, 0, 1])),
  )
  const extensions = der(
    SEQUENCE,
    der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(OCTET_STRING, der(SEQUENCE, TRUE))),
    der(SEQUENCE, ALTERNATIVE_NAMES, der(OCTET_STRING, names)),
  )
  const version3 = der(within(0), der(INTEGER, Buffer.from([2])))
  // The first byte is 1, so the serial number is positive.
  const serial = der(INTEGER, Buffer.from([0x01]), randomBytes(8))
  const toBeSigned = der(
    SEQUENCE,
    version3,
    serial,
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time('20200101000000Z'), time('21200101000000Z')),
    name,
    pair.publicKey,
    der(within(3), extensions),
  )
  const signature = sign('sha256', toBeSigned, createPrivateKey(pair.privateKey))
  const certificate = der(SEQUENCE, toBeSigned, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return { key: pair.privateKey, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}
