// Who is calling. Tokens come in the Authorization header only and are looked up by their sha256; a wrong one
// is answered slower with each further try from the same address, a valid one is never refused for that.
import { timingSafeEqual } from 'node:crypto'
import { hashOfToken } from '../../catalogue/people/tokens.ts'
import { DEFAULT_ID } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../../ports/config.ts'
import type { Store } from '../../ports/store.ts'
import type { Who } from '../route.ts'
import { isLoopback } from './loopback.ts'
import type { SlowDown } from './slow-down-guesses.ts'

const OPERATOR: Who = { admin: true, userId: DEFAULT_ID, tokenId: null }

/** Whether a token is needed. Throws when the configuration would leave an open door to the network. */
export function needsToken({ auth, host, publicUrl }: Config['server']): boolean {
  if (auth === 'required') return true
  if (auth === 'auto') return publicUrl !== null || !isLoopback(host)
  if (isLoopback(host)) return false
  throw new Error(
    `app.server.auth is disabled but app.server.host is ${host}: everybody on the network could use it. ` +
      'Bind to 127.0.0.1, or set app.server.auth to auto or required.',
  )
}

export interface AuthFailure {
  readonly reason: 'wrong token' | 'expired token' | 'no bearer token'
  /** Wrong ones from this address so far: those turned away for their number are counted, not told one by one. */
  readonly inARow: number
  /** Of a token that is known but expired. */
  readonly ofUser?: string
  readonly tokenId?: string
}

export interface Caller {
  readonly authorization: string | undefined
  readonly address: string
  readonly closing: AbortSignal
  readonly onFailure: (failure: AuthFailure) => void
}

export type Authenticate = (caller: Caller) => Promise<Who>

export function createAuthenticate(parts: {
  readonly store: Pick<Store, 'findToken' | 'touchToken'>
  readonly clock: Clock
  readonly runToken: string | null
  readonly slowDown: SlowDown
}): Authenticate {
  const { store, clock, runToken, slowDown } = parts
  const runHash = runToken === null ? null : Buffer.from(hashOfToken(runToken))

  async function whoHas(token: string): Promise<Who | Omit<AuthFailure, 'inARow'>> {
    // By its hash: how long the look-up takes says nothing about any token.
    const hash = hashOfToken(token)
    if (runHash && timingSafeEqual(runHash, Buffer.from(hash))) return OPERATOR
    const found = await store.findToken(hash)
    const now = clock.now()
    if (!found) return { reason: 'wrong token' }
    if (found.expiresAt !== null && found.expiresAt <= now) {
      return { reason: 'expired token', ofUser: found.userId, tokenId: found.id }
    }
    // To the minute is enough, and a busy token does not write with every request.
    if (found.lastUsedAt === null || now - found.lastUsedAt >= 60_000) await store.touchToken(found.id, now)
    return { admin: found.admin, userId: found.userId, tokenId: found.id }
  }

  async function fail({ address, closing, onFailure }: Caller, failure: Omit<AuthFailure, 'inARow'>): Promise<void> {
    const guess = slowDown.failed(address)
    // Turned away ones are not told one by one: nobody fills the log that way.
    if (!guess.crowded) onFailure({ ...failure, inARow: guess.inARow })
    await guess.wait(closing)
  }

  return async (caller) => {
    const token = tokenIn(caller.authorization)
    if (token === null) {
      if (caller.authorization !== undefined) await fail(caller, { reason: 'no bearer token' })
      throw new Problem('unauthorized', 'Send a token in the header "Authorization: Bearer <token>".')
    }
    const who = await whoHas(token)
    if (!('reason' in who)) return who
    await fail(caller, who)
    throw new Problem('unauthorized', 'The token is unknown, revoked or expired.')
  }
}

function tokenIn(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]{1,500})$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Whether a stored token that was good once still is. */
export async function isStillValid(
  authorization: string | undefined,
  { store, clock }: { readonly store: Pick<Store, 'findToken'>; readonly clock: Clock },
): Promise<boolean> {
  const found = await store.findToken(hashOfToken(tokenIn(authorization) ?? ''))
  return found !== null && (found.expiresAt === null || found.expiresAt > clock.now())
}

export const ANYBODY = OPERATOR
