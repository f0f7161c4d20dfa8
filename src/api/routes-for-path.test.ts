import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandApp } from '../app/command-app.ts'
import { configFrom } from '../config.ts'
import { silentLog } from '../log.ts'
import type { ApiParts } from './parts.ts'
import { resourceRoutes } from './resource-routes.ts'
import { routeAt } from './route-at.ts'
import { createRouteFinder } from './routes-for-path.ts'

const config = configFrom({ database: { url: 'file::memory:' } })

test('every path leads to the route that it has among all routes', async () => {
  const app = await createCommandApp({ config, log: silentLog })
  try {
    // Routes are only looked up here, so what they would ask is left out.
    const parts = { ...app, log: false, version: '0' } as unknown as ApiParts
    const all = resourceRoutes(parts)
    assert.ok(all.length > 50)
    for (const { method, path } of all) {
      // Ids may be words that other paths are made of.
      for (const id of ['x', 'sources', 'users', 'import']) {
        const asked = path.replace(/:[a-z]+/gi, id)
        const found = await createRouteFinder(parts)(method, asked)
        assert.equal(found?.route.path, routeAt(all, method, asked)?.route.path, `${method} ${asked}`)
      }
    }
    assert.equal(await createRouteFinder(parts)('GET', '/api/nothing'), null)
  } finally {
    await app.close()
  }
})
