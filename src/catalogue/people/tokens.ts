// Tokens identify their user. A token is shown once; only its sha256 is stored.
import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Token } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import type { Page } from '../../ports/page.ts'
import { BY_OPERATOR, type By, mostFor } from '../acting.ts'
import { findUser, noSuch } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { NewTokenView, TokenView } from '../shapes/answers.ts'
import { type List, listOf } from '../shapes/paging.ts'
import { pageQuery, TOKEN_READ_ONLY, tokenInput } from '../shapes/schemas.ts'
import { invalidInput, readInput } from '../shapes/validate.ts'
import { tokenView } from '../shapes/views.ts'

export interface TokenCatalogue {
  create(userId: string, input: z.input<typeof tokenInput>, by?: By): Promise<NewTokenView>
  list(userId: string, query?: z.input<typeof pageQuery>): Promise<List<TokenView>>
  /** Only an admin may revoke an admin token. */
  revoke(userId: string, id: string, by?: By): Promise<void>
}

export function newTokenText(): string {
  return `tid_${randomBytes(32).toString('base64url')}`
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function createTokens({ store, clock, newId, config }: CatalogueParts): TokenCatalogue {
  async function isAdminToken(userId: string, id: string): Promise<boolean> {
    let cursor: string | null = null
    do {
      const page: Page<Token> = await store.listTokens(userId, { limit: 500, cursor })
      const found = page.items.find((token) => token.id === id)
      if (found) return found.admin
      cursor = page.nextCursor
    } while (cursor !== null)
    return false
  }

  return {
    async create(userId, input, by = BY_OPERATOR) {
      const { name, admin = false, expiresAt = null } = readInput(tokenInput, input, TOKEN_READ_ONLY)
      const createdAt = clock.now()
      if (expiresAt !== null && expiresAt <= createdAt) {
        throw invalidInput([{ path: 'expiresAt', message: 'expected an instant in the future' }])
      }
      await findUser(store, userId)
      const token = newTokenText()
      const row = { id: newId(), userId, name, admin, createdAt, expiresAt, lastUsedAt: null }
      await store.addToken(row, hashOfToken(token), mostFor(by, config.limits.tokens))
      return { ...tokenView(row), token }
    },
    async list(userId, query = {}) {
      const { limit, cursor } = readInput(pageQuery, query)
      await findUser(store, userId)
      return listOf(await store.listTokens(userId, { limit, cursor: cursor ?? null }), tokenView)
    },
    async revoke(userId, id, by = BY_OPERATOR) {
      if (!by.admin && (await isAdminToken(userId, id))) {
        throw new Problem('needs-admin', 'Revoking an admin token needs an admin token.')
      }
      if (!(await store.removeToken(userId, id))) throw noSuch('token')
    },
  }
}
