/** The two calls of tr46 (Unicode UTS #46) as we use them; the package brings no types of its own. */
declare module 'tr46' {
  type Options = {
    checkHyphens?: boolean
    checkBidi?: boolean
    checkJoiners?: boolean
    useSTD3ASCIIRules?: boolean
    verifyDNSLength?: boolean
    transitionalProcessing?: boolean
  }
  /** The name with every label in its ASCII form, or null when the name breaks a rule asked for. */
  export function toASCII(name: string, options?: Options): string | null
}
