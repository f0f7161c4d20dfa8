// Prints what hosts see from Tidings as a table: each promise, what was seen, and whether it is kept.
// Exit 1 when one is not. `npm run politeness -- redirects` looks at the groups or promises with that word only.
import { CHECKS } from './politeness/checks.ts'

const [word = ''] = process.argv.slice(2)
const wanted = CHECKS.filter(({ group, property }) => `${group} ${property}`.toLowerCase().includes(word.toLowerCase()))
const width = Math.max(...wanted.map(({ property }) => property.length))
let group = ''
let broken = 0

for (const check of wanted) {
  if (check.group !== group) {
    group = check.group
    console.log(`\n${group.toUpperCase()}`)
  }
  const { seen, wanted: promised } = await check.see()
  const kept = seen === promised
  if (!kept) broken++
  console.log(
    `${kept ? 'kept  ' : 'BROKEN'}  ${check.property.padEnd(width)}  ${seen}${kept ? '' : `\n        wanted: ${promised}`}`,
  )
}
console.log(`\n${wanted.length - broken} of ${wanted.length} promises kept`)
process.exitCode = broken > 0 || wanted.length === 0 ? 1 : 0
