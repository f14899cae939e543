import type { Machine } from './places.ts'

/** The variables without which no program starts on Windows. */
const WINDOWS_VARIABLES = ['SystemRoot', 'SystemDrive', 'windir', 'LOCALAPPDATA', 'PROGRAMDATA', 'NUMBER_OF_PROCESSORS']

/** The environment of the browser: that of the service contains secrets. */
export function browserEnv({ platform, env }: Pick<Machine, 'platform' | 'env'>, temporary: string) {
  const common = { LANG: 'C.UTF-8', TZ: 'UTC' }
  if (platform !== 'win32')
    return { ...common, PATH: '/usr/local/bin:/usr/bin:/bin', HOME: temporary, TMPDIR: temporary }
  const valueOf = (name: string) => Object.entries(env).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  const needed = WINDOWS_VARIABLES.flatMap((name): [string, string][] => {
    const value = valueOf(name)
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...common,
    ...Object.fromEntries(needed),
    PATH: `${valueOf('SystemRoot') ?? 'C:\\Windows'}\\System32`,
    TEMP: temporary,
    TMP: temporary,
    USERPROFILE: temporary,
  }
}
