// Runs worlds until one of them breaks a promise. argv: the first seed. See mutate.ts.
import { inWords, runSeeds } from './simulate-seeds.ts'

const WORLDS = 60

const { broken } = await runSeeds(Number(process.argv[2] ?? 1), WORLDS)
console.log(broken ? `noticed: ${inWords(broken)}` : `not noticed in ${WORLDS} worlds`)
process.exitCode = broken ? 0 : 1
// A mutant may have left anything behind.
process.exit()
