// Colours for people at a terminal. NO_COLOR and pipes turn them off, --color decides otherwise.
import type { TextStream } from '../command-context.ts'

export const COLOUR_CHOICES = ['auto', 'always', 'never'] as const
export type ColourChoice = (typeof COLOUR_CHOICES)[number]

/** What a text means, not how it looks. */
export type Tone = 'good' | 'bad' | 'warning' | 'faint' | 'strong'
export type Paint = (tone: Tone | null, text: string) => string

const CODES: Readonly<Record<Tone, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  warning: [33, 39],
  faint: [2, 22],
  strong: [1, 22],
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stream: TextStream
}

export function isColourful(choice: ColourChoice | undefined, { env, stream }: Surroundings): boolean {
  if (choice === 'always') return true
  if (choice === 'never') return false
  // https://no-color.org: any value but an empty one.
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

export function painter(colourful: boolean): Paint {
  return (tone, text) => {
    if (!colourful || tone === null || text === '') return text
    const [on, off] = CODES[tone]
    return `\u001b[${on}m${text}\u001b[${off}m`
  }
}

/** Escape sequences take no room on the screen. */
export function withoutColours(text: string): string {
  return text.replace(COLOUR_SEQUENCE, '')
}

const COLOUR_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
