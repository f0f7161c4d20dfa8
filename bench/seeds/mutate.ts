// node --import ./bench/seeds/mutate.ts: puts the mutant that MUTANT names into the engine while it is loaded.
import { registerHooks } from 'node:module'
import { MUTANTS } from './mutants.ts'

const mutant = MUTANTS.find(({ name }) => name === process.env.MUTANT)
if (!mutant) throw new Error(`there is no mutant ${process.env.MUTANT}`)

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(`/src/${mutant.file}`)) return loaded
    let code = String(loaded.source)
    for (const { find, replace } of [mutant, ...(mutant.also ? [mutant.also] : [])]) {
      if (!code.includes(find)) throw new Error(`${mutant.file} does not contain what the mutant replaces`)
      code = code.replace(find, () => replace)
    }
    return { ...loaded, source: code }
  },
})
