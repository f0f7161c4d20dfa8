// Finds out who is calling. A token comes in the Authorization header only and is looked up by its SHA-256.
// Wrong tokens are answered more slowly with each try from the same address. A valid token is never delayed for that.
import { timingSafeEqual } from 'node:crypto'
import { hashOfToken } from '../../catalogue/people/tokens.ts'
import { DEFAULT_ID } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../../ports/config.ts'
import type { Store } from '../../ports/store.ts'
import type { Caller } from '../route.ts'
import { isLoopback } from './loopback.ts'
import type { SlowDown } from './slow-down-guesses.ts'

/** Whoever uses the token of this run, and everybody while authentication is off. */
export const OPERATOR: Caller = { admin: true, userId: DEFAULT_ID, tokenId: null }

/** Whether a token is needed. Throws if the configuration would let the whole network in without one. */
export function needsToken({ auth, host, publicUrl }: Config['server']): boolean {
  if (auth === 'required') return true
  if (auth === 'auto') return publicUrl !== null || !isLoopback(host)
  if (isLoopback(host)) return false
  throw new Error(
    `app.server.auth is disabled but app.server.host is ${host}: everybody on the network could use this instance. ` +
      'Bind to 127.0.0.1, or set app.server.auth to auto or required.',
  )
}

export interface AuthFailure {
  readonly reason: 'wrong token' | 'expired token' | 'no bearer token'
  /** How many wrong tokens came from this address so far. Those turned away are counted, but not reported one by one. */
  readonly inARow: number
  /** The user of an expired token. */
  readonly ofUser?: string
  readonly tokenId?: string
}

export interface AuthRequest {
  readonly authorization: string | undefined
  readonly address: string
  readonly closing: AbortSignal
  readonly onFailure: (failure: AuthFailure) => void
}

export type Authenticate = (request: AuthRequest) => Promise<Caller>

export function createAuthenticate(parts: {
  readonly store: Pick<Store, 'findToken' | 'touchToken'>
  readonly clock: Clock
  readonly runToken: string | null
  readonly slowDown: SlowDown
}): Authenticate {
  const { store, clock, runToken, slowDown } = parts
  const runHash = runToken === null ? null : Buffer.from(hashOfToken(runToken))

  async function callerWithToken(token: string): Promise<Caller | Omit<AuthFailure, 'inARow'>> {
    // Looked up by hash, so that the time it takes reveals nothing about a token.
    const hash = hashOfToken(token)
    if (runHash && timingSafeEqual(runHash, Buffer.from(hash))) return OPERATOR
    const found = await store.findToken(hash)
    const now = clock.now()
    if (!found) return { reason: 'wrong token' }
    if (found.expiresAt !== null && found.expiresAt <= now) {
      return { reason: 'expired token', ofUser: found.userId, tokenId: found.id }
    }
    // Written once a minute at most, so that a busy token does not cause a write with every request.
    if (found.lastUsedAt === null || now - found.lastUsedAt >= 60_000) await store.touchToken(found.id, now)
    return { admin: found.admin, userId: found.userId, tokenId: found.id }
  }

  async function fail(
    { address, closing, onFailure }: AuthRequest,
    failure: Omit<AuthFailure, 'inARow'>,
  ): Promise<void> {
    const guess = slowDown.countWrongGuess(address)
    // Requests that are turned away are not logged one by one, so that nobody can fill the log.
    if (!guess.turnedAway) onFailure({ ...failure, inARow: guess.inARow })
    await guess.wait(closing)
  }

  return async (request) => {
    const token = tokenIn(request.authorization)
    if (token === null) {
      if (request.authorization !== undefined) await fail(request, { reason: 'no bearer token' })
      throw new Problem('unauthorized', 'Send a token in the header "Authorization: Bearer <token>".')
    }
    const caller = await callerWithToken(token)
    if (!('reason' in caller)) return caller
    await fail(request, caller)
    throw new Problem('unauthorized', 'The token is unknown, revoked or expired.')
  }
}

function tokenIn(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]{1,500})$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Whether a token that was valid before still is. */
export async function isStillValid(
  authorization: string | undefined,
  { store, clock }: { readonly store: Pick<Store, 'findToken'>; readonly clock: Clock },
): Promise<boolean> {
  const found = await store.findToken(hashOfToken(tokenIn(authorization) ?? ''))
  return found !== null && (found.expiresAt === null || found.expiresAt > clock.now())
}
