import { aftermarket } from './aftermarket.ts'
import { auctions } from './auctions.ts'
import { ethereum } from './chain/ethereum.ts'
import { engines } from './engines.ts'
import { iana } from './iana.ts'
import { names } from './names/names.ts'
import { pages } from './pages.ts'
import { registrar } from './registrar.ts'
import type { Simulator } from './simulator.ts'
import { trademark } from './trademark/register.ts'

/** All simulators that `npm run sandbox` starts, in this order. */
export const SIMULATORS: readonly Simulator[] = [
  iana,
  names,
  ethereum,
  trademark,
  registrar,
  aftermarket,
  auctions,
  engines,
  pages,
]
