import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { browserEnv } from './browser-env.ts'
import { processAlone } from './process-group.ts'

suite('a browser on a system without /proc', () => {
  for (const [platform, target] of [
    ['win32', 4711],
    ['darwin', -4711],
  ] as const)
    test(`is killed on ${platform}, and waited for`, async () => {
      const sent: [number, string | number | undefined][] = []
      let isAlive = true
      const group = processAlone(4711, platform, (pid, signal) => {
        sent.push([pid, signal])
        if (!isAlive) throw new Error('ESRCH')
        if (signal === 'SIGKILL') isAlive = false
        return true
      })
      group.kill()
      await group.untilExited()
      // A second kill of a process that is gone is no error.
      group.kill()
      assert.deepEqual(sent, [
        [target, 'SIGKILL'],
        [4711, 0],
        [target, 'SIGKILL'],
      ])
      assert.equal(group.privateMegabytes(), 0)
    })

  test('has the variables that Windows needs, and no secret', () => {
    const env = { SYSTEMROOT: 'C:\\Windows', LocalAppData: 'C:\\Users\\mira\\AppData\\Local', ONOMA_KEYS: 'secret' }
    assert.deepEqual(browserEnv({ platform: 'win32', env }, 'C:\\Temp'), {
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      SystemRoot: 'C:\\Windows',
      LOCALAPPDATA: 'C:\\Users\\mira\\AppData\\Local',
      PATH: 'C:\\Windows\\System32',
      TEMP: 'C:\\Temp',
      TMP: 'C:\\Temp',
      USERPROFILE: 'C:\\Temp',
    })
    assert.deepEqual(Object.keys(browserEnv({ platform: 'darwin', env }, '/tmp')).toSorted(), [
      'HOME',
      'LANG',
      'PATH',
      'TMPDIR',
      'TZ',
    ])
  })
})
