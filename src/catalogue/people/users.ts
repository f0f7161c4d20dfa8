// Users own podcasts. The default user exists from the first start; it can be renamed but not deleted.
import type { z } from 'zod'
import { DEFAULT_ID } from '../../domain/person.ts'
import { Problem } from '../../domain/problem.ts'
import { findUser, isId, nameTaken, noSuch } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { LimitView, UserView } from '../shapes/answers.ts'
import { type List, listOf } from '../shapes/paging.ts'
import { pageQuery, USER_READ_ONLY, userInput } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { userView } from '../shapes/views.ts'
import { limitsOf } from './limits.ts'

export interface UserCatalogue {
  create(input: z.input<typeof userInput>): Promise<UserView>
  get(id: string): Promise<UserView>
  list(query?: z.input<typeof pageQuery>): Promise<List<UserView>>
  update(id: string, input: z.input<typeof userInput>): Promise<UserView>
  remove(id: string): Promise<void>
  /** What the user has of what is limited without admin rights (app.limits), and how much they may have. */
  limits(id: string): Promise<readonly LimitView[]>
}

export function createUsers({ store, clock, newId, config }: CatalogueParts): UserCatalogue {
  return {
    async create(input) {
      const { name } = readInput(userInput, input, USER_READ_ONLY)
      const user = { id: newId(), name, createdAt: clock.now() }
      if ((await store.addUser(user)) === 'name-taken') throw nameTaken('user', name)
      return userView(user)
    },
    get: async (id) => userView(await findUser(store, id)),
    async list(query = {}) {
      const { limit, cursor } = readInput(pageQuery, query)
      return listOf(await store.listUsers({ limit, cursor: cursor ?? null }), userView)
    },
    async update(id, input) {
      const { name } = readInput(userInput, input, USER_READ_ONLY)
      const user = isId(id) ? await store.renameUser(id, name) : null
      if (!user) throw noSuch('user')
      if (user === 'name-taken') throw nameTaken('user', name)
      return userView(user)
    },
    async remove(id) {
      if (id === DEFAULT_ID) {
        throw new Problem('not-deletable', 'The default user cannot be deleted; it can be renamed.')
      }
      if (!isId(id) || !(await store.removeUser(id))) throw noSuch('user')
    },
    limits: (id) => limitsOf({ store, config }, id),
  }
}
