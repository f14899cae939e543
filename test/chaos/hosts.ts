/** Names of simulated nodes; `preload.ts` leads them to loopback. */
export const CHAOS_HOST_SUFFIX = '.chaos.example'
export const BASE_HOST = `base${CHAOS_HOST_SUFFIX}`
export const TEMPO_HOST = `tempo${CHAOS_HOST_SUFFIX}`
export const FACILITATOR_HOST = `facilitator${CHAOS_HOST_SUFFIX}`
