/** The part of tr46 (Unicode UTS #46) that we use; the package has no types. */
declare module 'tr46' {
  type Options = {
    checkHyphens?: boolean
    checkBidi?: boolean
    checkJoiners?: boolean
    useSTD3ASCIIRules?: boolean
    verifyDNSLength?: boolean
    transitionalProcessing?: boolean
  }
  /** The name with every label in ASCII form; null if it violates one of the enabled rules. */
  export function toASCII(name: string, options?: Options): string | null
}
