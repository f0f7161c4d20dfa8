// The configuration that this process runs with: every key with its value and where that comes from. Secrets are masked.
import { z } from 'zod'
import { describeConfig } from '../../config/describe.ts'
import type { ApiParts } from '../parts.ts'
import { ok, type Route, route } from '../route.ts'

const configAnswer = z
  .object({ items: z.array(z.object({ key: z.string(), value: z.unknown(), from: z.string() })) })
  .meta({ id: 'Configuration' })

export function configRoutes({ config, configOrigins }: ApiParts): Route[] {
  return [
    route({
      ...{ method: 'GET', path: '/api/config', tag: 'Status', access: 'admin' },
      summary: 'The configuration in use, with secrets masked, and where each value comes from',
      answers: { 200: configAnswer },
      handle() {
        return ok({ items: describeConfig({ config, origins: configOrigins ?? new Map() }) })
      },
    }),
  ]
}
