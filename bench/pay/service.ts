/** The service with simulated payments, started from its parts, because the payer needs the URL of the Tempo node. */
import { loadConfig } from '../../src/app/settings/config.ts'
import { startService } from '../../src/app/service.ts'

const quiet = () => {}
const config = loadConfig({
  PORT: '0',
  ENS_PORT: '0',
  ONOMA_METRICS: 'off',
  ONOMA_SANDBOX: 'on',
  ONOMA_RATE_LIMIT: '65535',
})
const service = await startService(config, { log: { debug: quiet, info: quiet, warn: quiet, error: quiet } })
const { simulated } = service.payments
if (!simulated) throw new Error('Payments are not simulated here.')
process.stdout.write(
  `${JSON.stringify({ url: service.url, tempoUrl: simulated.tempoUrl, key: simulated.wallet.privateKey })}\n`,
)
process.once('SIGTERM', () => void service.stop({ lingerMs: 0, graceMs: 0 }).then(() => process.exit(0)))
