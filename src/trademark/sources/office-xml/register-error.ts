/** A file that is not what the register publishes, or no longer whole. The message is a sentence for the operator. */
export class RegisterError extends Error {
  override readonly name = 'RegisterError'
}
