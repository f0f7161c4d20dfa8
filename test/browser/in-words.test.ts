// What goes wrong is told in words that people can act on, and no longer than it is true; what has to be done first
// is offered.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { feed, openVisit, type Visit } from './visit.ts'

describe('the dashboard, where a token is needed,', () => {
  let visit: Visit
  let admin = ''
  let user = ''
  let token = ''
  const notice = () => visit.page.locator('#notice')

  async function signIn(given: string): Promise<void> {
    await visit.page.fill('[name=token]', given)
    await visit.page.press('[name=token]', 'Enter')
  }

  before(async () => {
    visit = await openVisit({ env: { APP_SERVER_AUTH: 'required' }, token: () => admin })
    const made = await visit.shell.tidings('token', 'create', '--user', 'default', '--admin', '--name', 'a', '--json')
    admin = made.json<{ token: string }>().token
    user = (await visit.api('POST', '/api/users', { name: 'Uma' })).id
    token = (await visit.api('POST', `/api/users/${user}/tokens`, { name: 'u' })).token
    await visit.page.goto(visit.url)
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('asks for it with the focus in its field', async () => {
    await visit.notice('This Tidings asks for a token')
    assert.equal(await visit.focused(), 'token')
  })

  test('says what is wrong with a token that cannot be sent, or is unknown', async () => {
    await signIn('tök€n')
    await visit.notice(/^This cannot be a token: .* Copy it once more, whole and alone\.$/)
    await signIn('wrong')
    await visit.notice(/^The token is unknown, revoked or expired\.$/)
    assert.equal(await visit.focused(), 'token')
  })

  test('offers somebody without a podcast to make one, and then has room for sources', async () => {
    await signIn(token)
    await visit.page.locator('#first-podcast', { hasText: 'You have no podcast yet' }).waitFor()
    assert.equal(await visit.page.locator('#add').isVisible(), false)
    assert.equal(await notice().isVisible(), false)
    await visit.page.fill('#first-podcast [name=name]', 'Evening')
    await visit.page.press('#first-podcast [name=name]', 'Enter')
    await visit.page.locator('.empty').waitFor()
    assert.equal(await visit.focused(), 'Address')
    visit.origin.route('/feed', { contentType: 'application/rss+xml', body: feed('A feed', ['x']) })
    // Of somebody without admin rights, hosts in private networks are not asked; the rest of adding is the same.
    const sources = `/api/users/${user}/podcasts/${(await podcastsOf(user))[0]}/sources`
    await visit.api('POST', sources, { type: 'rss', url: `${visit.origin.url}/feed`, validate: false })
    await visit.refresh()
    await visit.row('/feed').waitFor()
  })

  test('lets somebody without admin rights ask a waiting host again', async () => {
    const sources = `/api/users/${user}/podcasts/${(await podcastsOf(user))[0]}/sources`
    const url = `${visit.origin.url}/feed?second`
    await visit.api('POST', sources, { type: 'rss', url, validate: false })
    const { items } = await visit.api('GET', sources)
    const pollAll = async () => {
      for (const { id } of items) await visit.api('POST', `${sources}/${id}/poll?wait=true`)
    }
    await pollAll()
    visit.origin.route('/feed', { status: 403 })
    for (const _again of [1, 2]) await pollAll()
    await visit.refresh()
    visit.origin.route('/feed', { contentType: 'application/rss+xml', body: feed('A feed', ['x', 'y']) })
    await visit.page.getByRole('button', { name: 'Ask again now' }).click()
    await visit.notice('Asked 127.0.0.1 again: 1 new of 2.')
    await visit.page.locator('#trouble').waitFor({ state: 'hidden' })
  })

  test('tells that the server cannot be reached, and stops telling when it can', async () => {
    await visit.page.route('**/api/status', (route) => route.abort())
    await visit.page.clock.fastForward(15_000)
    await visit.notice(/^Tidings cannot be reached\. Check that it runs .* This page tries again by itself\.$/)
    await visit.page.unroute('**/api/status')
    await visit.refresh()
    await notice().waitFor({ state: 'hidden' })
  })

  test('tells that the database is away, that it asks again, and stops telling when it is back', async () => {
    const problem = {
      title: 'The database cannot be reached',
      status: 503,
      detail: 'Try again soon.',
      code: 'store-away',
    }
    const answer = { status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }
    await visit.page.route('**/api/**', (route) => route.fulfill(answer))
    await visit.page.clock.fastForward(15_000)
    await visit.notice(/^Tidings cannot reach its database\. .* This page tries again by itself\.$/)
    await visit.row('?second').getByRole('button', { name: 'Disable' }).click()
    await visit.notice(/^Tidings cannot reach its database\. .* Then try again\.$/)
    await visit.page.clock.fastForward(15_000)
    await visit.notice('This page tries again by itself.')
    await visit.page.unroute('**/api/**')
    await visit.refresh()
    await notice().waitFor({ state: 'hidden' })
  })

  test('tells a proxy from the server behind it', async () => {
    const answer = { status: 502, contentType: 'text/html', body: '<html>Bad gateway' }
    await visit.page.route('**/api/status', (route) => route.fulfill(answer))
    await visit.page.clock.fastForward(15_000)
    await visit.notice(/^The answer \(status 502\) did not come from Tidings, but most likely from a proxy/)
    await visit.page.unroute('**/api/status')
    await visit.refresh()
    await notice().waitFor({ state: 'hidden' })
  })

  test('keeps what came of an action through refreshes that work', async () => {
    await visit.page.route('**/api/**', (route) => route.abort())
    await visit.row('?second').getByRole('button', { name: 'Disable' }).click()
    await visit.notice(/^Tidings cannot be reached\. .* Then try again\.$/)
    await visit.page.unroute('**/api/**')
    await visit.refresh()
    await visit.notice('Then try again.')
  })

  test('opens by itself when the server comes up after it', async () => {
    await visit.page.route('**/api/users?*', (route) => route.abort())
    await visit.page.reload()
    await visit.notice('This page tries again by itself.')
    await visit.page.unroute('**/api/users?*')
    await visit.refresh()
    await visit.row('?second').waitFor()
    assert.equal(await notice().isVisible(), false)
  })

  async function podcastsOf(id: string): Promise<string[]> {
    const { items } = await visit.api('GET', `/api/users/${id}/podcasts`)
    return items.map((podcast: { id: string }) => podcast.id)
  }
})
