/** The addresses of the contracts on mainnet, so the sandbox works with the settings of production. */
export const MAINNET = {
  registry: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
  registrar: '0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85',
  nameWrapper: '0xD4416b13d2b3a9aBae7AcD5D6C2BbDBE25686401',
  reverseRegistrar: '0xa58E81fe9b61B5c3fE2AFD33CF304c454AbFc7Cb',
  defaultReverseRegistrar: '0x283F227c4Bd38ecE252C4Ae7ECE650B0e913f1f9',
  /** The current controller and the resolver that trusts it. */
  controller: '0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547',
  resolver: '0xF29100983E058B709F3D539b0c765937B804AC15',
  /** The pair of 2023, for names in the NameWrapper. */
  wrappedController: '0x253553366Da8546fC250F225fe3d25d0C782303b',
  wrappedResolver: '0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63',
  universalResolver: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe',
  multicall: '0xcA11bde05977b3631167028862bE2a173976CA11',
  ethUsdFeed: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
} as const

/** Contracts whose address is read from another contract, and one of our own: any address works. */
export const SANDBOX_ADDRESSES = {
  priceOracle: '0x0000000000000000000000000000000000C0De01',
  wrappedPriceOracle: '0x0000000000000000000000000000000000c0De02',
  offchainResolver: '0x0000000000000000000000000000000000c0De03',
} as const
