// The library's entrance: plain JavaScript that any Node understands, so that one that is too old is told so in a sentence
// instead of failing on the first module that it does not know.
const NEEDED = [24, 12]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  throw new Error(
    `Tidings needs Node ${NEEDED.join('.')} or later, and this is ${process.versions.node}: install a newer one, for example from https://nodejs.org/`,
  )
}

export const { createTidings, readFeed, readPage, Problem } = await import('../dist/index.js')
