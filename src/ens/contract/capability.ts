export const capability = {
  name: 'ens',
  description: 'Names under .eth: whether they are available, what they hold, and how to register or renew them.',
}
