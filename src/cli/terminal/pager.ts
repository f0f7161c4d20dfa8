// Shows a long answer page by page, as git does: with $PAGER, else with less. An empty PAGER or `cat` turns it off.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CommandContext } from '../command-context.ts'

const DEFAULT_PAGER = 'less'

export function needsPager({ stdout, env }: CommandContext, text: string): boolean {
  if (!stdout.isTTY || stdout.rows === undefined || env.PAGER === '' || env.PAGER === 'cat') return false
  return text.split('\n').length > stdout.rows
}

export async function showPaged(context: CommandContext, text: string): Promise<void> {
  // -F ends at once if it fits, -R keeps colours, -X leaves the text on the screen.
  const env = { LESS: 'FRX', LV: '-c', ...context.env }
  const pager = spawn(context.env.PAGER ?? DEFAULT_PAGER, { shell: true, stdio: ['pipe', 'inherit', 'ignore'], env })
  // The person may leave before the end.
  pager.stdin.on('error', () => {})
  pager.stdin.end(text)
  const [code] = await once(pager, 'close').catch(() => [1])
  // 126 and 127: a shell's codes for a program that cannot be started.
  if (code === 126 || code === 127) context.stdout.write(text)
}
