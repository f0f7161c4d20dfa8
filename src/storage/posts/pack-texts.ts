// Packs texts for the store. An ordinary text takes a fiftieth of a millisecond. Handing it to another thread costs several
// times that, all of it on this one, so many texts are packed one after another, with a pause for the event loop between
// them. The HTML of feeds comes packed from the thread that cleaned it.
import { setImmediate } from 'node:timers/promises'
import { packText } from '../../packed-text.ts'

const CHARACTERS_AT_ONCE = 100_000

/** In the order given. A null stays null. */
export async function packTexts(texts: readonly (string | null)[]): Promise<(Uint8Array | null)[]> {
  const packed: (Uint8Array | null)[] = []
  let characters = 0
  for (const text of texts) {
    packed.push(text ? packText(text) : null)
    characters += text?.length ?? 0
    if (characters < CHARACTERS_AT_ONCE) continue
    await setImmediate()
    characters = 0
  }
  return packed
}
