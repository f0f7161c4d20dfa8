// Lets a program of a checkout import 'tidings' without a build, as it would import the installed package.
import { registerHooks } from 'node:module'

const LIBRARY = new URL('../../src/index.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'tidings' ? { url: LIBRARY, shortCircuit: true } : next(specifier, context),
})
