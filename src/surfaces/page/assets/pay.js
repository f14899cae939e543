// Pays for a request in the browser (x402, version 2): with a wallet that the browser has, or with play money.
import { announce } from './dom.js'
import { renderPurchase } from './purchase.js'

/** USDC on Base. A page must not sign for anything else, whatever the 402 says. */
const NETWORK = 'eip155:8453'
const CHAIN_ID = 8453
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const MICROS_PER_USD = 1_000_000
/** The clocks of the wallet, of the service and of the chain differ. */
const CLOCK_SKEW_SECONDS = 600
const MAX_ATTEMPTS = 6
const MAX_RETRY_SECONDS = 10

const TRANSFER = [
  ['from', 'address'],
  ['to', 'address'],
  ['value', 'uint256'],
  ['validAfter', 'uint256'],
  ['validBefore', 'uint256'],
  ['nonce', 'bytes32'],
].map(([name, type]) => ({ name, type }))
const DOMAIN = [
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
].map(([name, type]) => ({ name, type }))

/** Shows the buttons that can pay, and lets them. A wallet may announce itself after the page. */
export function offerPayments() {
  const show = () => {
    for (const button of document.querySelectorAll('button[data-pay]'))
      if (button instanceof HTMLButtonElement) button.hidden = !(button.dataset.play || injectedWallet())
  }
  show()
  addEventListener('ethereum#initialized', show, { once: true })
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button[data-pay]')
    if (button instanceof HTMLButtonElement) void buy(button)
  })
}

/** EIP-1193. @returns {any} */
const injectedWallet = () => /** @type {any} */ (globalThis).ethereum

/** The payment of a button whose outcome is not known: it is sent again, because a second one could be charged, too. */
const unsettled = new WeakMap()

/** Nothing was sent yet that could be charged. @param {string} path @param {RequestInit} [options] */
const fetchUnpaid = (path, options) =>
  fetch(path, options).catch(() => {
    throw new Error('The service cannot be reached. Nothing was paid.')
  })

/** Empty if it is not JSON: a proxy sends its errors as web pages. @param {Response} answer */
const bodyOf = (answer) => answer.json().catch(() => ({}))

/** @param {HTMLButtonElement} button */
async function buy(button) {
  const output = button.parentElement?.querySelector('[role="status"]')
  const say = (/** @type {string} */ text) => output && (output.textContent = text)
  button.disabled = true
  try {
    const { pay: path = '', usd = '' } = button.dataset
    let payment = unsettled.get(button)
    if (!payment) {
      say('Asking for the price…')
      const quote = await fetchUnpaid(path)
      if (quote.status !== 402) return await show(button, path, quote)
      say(button.dataset.play ? 'Paying with play money…' : 'Your wallet asks you to sign…')
      payment = { header: await signPayment(quote, usd, button.dataset.play), token: createToken() }
      unsettled.set(button, payment)
    }
    say('The payment is sent; waiting for the answer…')
    const answer = await sendPayment(path, payment)
    unsettled.delete(button)
    await show(button, path, answer)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error?.message ?? error))
    button.disabled = false
  }
}

/** Puts the answer in the place of the offer. @param {HTMLButtonElement} button @param {string} path @param {Response} answer */
async function show(button, path, answer) {
  const body = await bodyOf(answer)
  if (!answer.ok) throw new Error(`${body.message ?? `The service answered ${answer.status}.`} Nothing was charged.`)
  const isCharged = answer.headers.has('payment-response')
  const made = renderPurchase(path, body, isCharged)
  button.closest('.offer')?.replaceWith(made)
  made.focus()
  announce(isCharged ? 'Paid. The answer is shown.' : 'The answer is shown. Nothing was charged.')
}

/**
 * The value of the PAYMENT-SIGNATURE header for what the 402 asks.
 * @param {Response} quote @param {string} usd the price on the button @param {string | undefined} play
 */
async function signPayment(quote, usd, play) {
  const required = JSON.parse(decodeBase64(quote.headers.get('payment-required') ?? '') || '{}')
  const accepted = required.accepts?.find(
    (one) => one.scheme === 'exact' && one.network === NETWORK && one.asset.toLowerCase() === USDC,
  )
  if (!accepted) throw new Error('The service does not accept USDC on Base. Use the command instead.')
  if (BigInt(accepted.amount) !== BigInt(Math.round(Number(usd) * MICROS_PER_USD)))
    throw new Error('The price has changed. Load the page again; nothing was paid.')
  const isPlayMoney = quote.headers.get('x-payments-mode') === 'simulated'
  if (Boolean(play) !== isPlayMoney)
    throw new Error('The service has changed its mode of payment. Load the page again.')
  // By the clock of the service: the one of this machine may be wrong.
  const now = Math.floor(Date.parse(quote.headers.get('date') ?? new Date().toUTCString()) / 1000)
  const transfer = {
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: now - CLOCK_SKEW_SECONDS,
    validBefore: now + accepted.maxTimeoutSeconds,
    nonce: `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  }
  const { from, signature } = play ? await signWithPlayMoney(play, transfer) : await signWithWallet(accepted, transfer)
  const authorization = {
    from,
    ...transfer,
    validAfter: `${transfer.validAfter}`,
    validBefore: `${transfer.validBefore}`,
  }
  const payment = { x402Version: 2, resource: required.resource, accepted, payload: { signature, authorization } }
  return encodeBase64(JSON.stringify(payment))
}

/** @param {string} address @param {object} transfer */
async function signWithPlayMoney(address, transfer) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetchUnpaid(address, { method: 'POST', headers, body: JSON.stringify(transfer) })
  const body = await bodyOf(answer)
  if (!answer.ok) throw new Error(`${body.message ?? `The service answered ${answer.status}.`} Nothing was paid.`)
  return body
}

async function signWithWallet(accepted, transfer) {
  const wallet = injectedWallet()
  const [from] = await wallet.request({ method: 'eth_requestAccounts' })
  const chainId = `0x${CHAIN_ID.toString(16)}`
  // A wallet signs only for the chain it is on.
  if ((await wallet.request({ method: 'eth_chainId' })) !== chainId)
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  const { name, version } = accepted.extra
  const typed = {
    types: { EIP712Domain: DOMAIN, TransferWithAuthorization: TRANSFER },
    primaryType: 'TransferWithAuthorization',
    domain: { name, version, chainId: CHAIN_ID, verifyingContract: accepted.asset },
    message: { from, ...transfer },
  }
  const signature = await wallet.request({ method: 'eth_signTypedData_v4', params: [from, JSON.stringify(typed)] })
  return { from, signature }
}

/** With a token of our own the answer can be fetched again if the first response is lost on its way. */
const createToken = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Only the service itself can say that a payment failed; a proxy before it does not know. @param {Response} answer */
const isOutcome = (answer) =>
  answer.ok || (answer.status !== 503 && /json/.test(answer.headers.get('content-type') ?? ''))

/** If the outcome is unknown, the same payment is sent again. @param {string} path */
async function sendPayment(path, { header, token }) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(path, { headers: { 'PAYMENT-SIGNATURE': header, 'Payment-Token': token } }).catch(
      () => null,
    )
    if (answer && isOutcome(answer)) return answer
    if (attempt === MAX_ATTEMPTS)
      throw new Error('It is not known whether the payment was made. The button sends the same payment again.')
    const seconds = Number(answer?.headers.get('retry-after') ?? attempt) || attempt
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, MAX_RETRY_SECONDS) * 1000))
  }
}

/** UTF-8 in base64, both ways. @param {string} text */
const decodeBase64 = (text) => new TextDecoder().decode(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)))
/** @param {string} text */
const encodeBase64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
