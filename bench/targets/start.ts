// How long a person waits for a command.
import { figureNamed } from './child-benchmark.ts'
import type { Part } from './part.ts'
import { rowWithoutAim, valueRow } from './row.ts'

export const start: Part = {
  name: 'start',
  about: 'how long commands take to start',
  minutes: 1.5,
  async *measure({ isQuick, run }) {
    const [sources, rounds] = isQuick ? [1000, 3] : [100_000, 15]
    const ran = await run({ name: 'start', args: [String(sources), String(rounds)] })
    const of = (name: string) => figureNamed(ran, `${name}, wall`)
    const node = of('node, which does nothing')
    yield* [
      valueRow('tidings list, wall', of('tidings list'), ['under', 250], node),
      valueRow('tidings --version, wall', of('tidings --version'), ['under', 100], node),
      rowWithoutAim('serve to /readyz, an empty store, wall', of('an empty store')),
      rowWithoutAim(`serve to /readyz, ${sources} sources, wall`, of(`${sources} sources`)),
    ]
  },
}
