// npm run simulate:origins: simulates a week of 1,000 sources on 50 loopback hosts.
// Set SOURCES, HOSTS and HOURS to change that. Exits with 1 if a promise was broken.
import { simulate } from './simulation/simulate.ts'

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const size = { sources: number('SOURCES', 1000), hosts: number('HOSTS', 50), hours: number('HOURS', 168) }

console.log(`${size.sources} sources on ${size.hosts} hosts for ${size.hours} simulated hours`)
const result = await simulate({
  ...size,
  onHour: (hour) => {
    if (hour % 12 === 0) console.log(`  hour ${hour}`)
  },
})
const failures = [
  ...result.spacingViolations.map((text) => `spacing: ${text}`),
  ...result.requestsWhileClosed.map((text) => `requested while closed: ${text}`),
  ...result.latePolls.map((text) => `late: ${text}`),
  ...result.duplicates.map((text) => `stored twice: ${text}`),
  ...result.lost.map((text) => `lost: ${text}`),
]
console.log(`${result.requests} requests, ${result.posts} posts, ${result.realSeconds.toFixed(1)} s`)
console.log(
  `spacing violations ${result.spacingViolations.length}, requested while closed ${result.requestsWhileClosed.length}`,
)
console.log(
  `late polls ${result.latePolls.length}, stored twice ${result.duplicates.length}, lost ${result.lost.length}`,
)
for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0
