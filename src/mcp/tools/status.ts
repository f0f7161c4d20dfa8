// The tool that shows how this Tidings does as a whole.
import { z } from 'zod'
import type { HostView, StatusView } from '../../catalogue/shapes/polling-answers.ts'
import { tool } from '../tool.ts'
import { instant, short, shortOrNull } from './fields.ts'

const MAX_HOSTS = 20

export const status = tool({
  name: 'status',
  title: 'Status',
  description:
    'Totals, whether the scheduler runs, hosts that are left alone for now and why, and whether our own connection seems to be down.',
  input: z.strictObject({}),
  output: z.object({
    now: instant,
    version: z.string(),
    totals: z.record(z.string(), z.int()),
    scheduler: z.object({ running: z.boolean(), lastTickAt: instant.nullable(), nextTickAt: instant.nullable() }),
    outage: z.object({ since: instant }).nullable().describe('our own connection seems to be down since then'),
    hostsLeftAlone: z.array(
      z.object({
        host: z.string(),
        sources: z.int(),
        until: instant.nullable().describe('no request before this instant'),
        reason: z.string().nullable(),
        breaker: z.string().describe('closed, open or half-open'),
      }),
    ),
    hostsComplete: z.boolean().describe('false: more hosts than these are left alone'),
  }),
  untrusted: ['reason'],
  async run(rest) {
    const now = await rest.get<StatusView>('/api/status')
    const hosts = await rest.get<{ items: HostView[]; nextCursor: string | null }>('/api/hosts', {
      ...{ waiting: true, limit: MAX_HOSTS },
    })
    const { running, lastTickAt, nextTickAt } = now.scheduler
    return {
      ...{ now: now.now, version: now.versions.tidings, totals: now.totals },
      scheduler: { running, lastTickAt, nextTickAt },
      outage: now.outage && { since: now.outage.since },
      hostsLeftAlone: hosts.items.map(({ host, sources, notBefore, notBeforeReason, breaker }) => ({
        host: short(host, 260),
        sources,
        until: notBefore ?? breaker.probeAt,
        reason: shortOrNull(notBeforeReason, 200),
        breaker: breaker.state,
      })),
      hostsComplete: hosts.nextCursor === null,
    }
  },
})
