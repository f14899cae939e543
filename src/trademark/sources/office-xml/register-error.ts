/** The file is damaged or not a file of the register. The message is written for the operator. */
export class RegisterError extends Error {
  override readonly name = 'RegisterError'
}
