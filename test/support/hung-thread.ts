import { execFileSync } from 'node:child_process'
import { mkdtempSync, open } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const pipe = join(mkdtempSync(join(tmpdir(), 'onoma-hung-')), 'pipe')
execFileSync('mkfifo', [pipe])
open(pipe, 'r', () => {})
