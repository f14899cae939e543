import { slowRegistryAttack } from './checks-at-a-slow-registry.ts'

export const attack = slowRegistryAttack('60 checks of 20 names at a 20/s registry, six addresses', 6)
