// Where a token is needed: signing in, making a first podcast, tokens shown once. And what goes wrong is told in words
// that people can act on, and no longer than it is true.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/until.ts'
import { openVisit, type Visit } from './visit.ts'

describe('the dashboard, where a token is needed,', () => {
  let visit: Visit
  let admin = ''
  let token = ''

  async function signIn(given: string): Promise<void> {
    await visit.page.getByLabel('Token').fill(given)
    await visit.page.getByLabel('Token').press('Enter')
  }

  before(async () => {
    visit = await openVisit({ env: { APP_SERVER_AUTH: 'required' }, token: () => admin })
    const made = await visit.shell.tidings('token', 'create', '--user', 'default', '--admin', '--name', 'a', '--json')
    admin = made.json<{ token: string }>().token
    const user = (await visit.api('POST', '/api/users', { name: 'Uma' })).id
    token = (await visit.api('POST', `/api/users/${user}/tokens`, { name: 'u' })).token
    await visit.open('/', 'Sign in')
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('asks for it with the focus in its field, and says where tokens come from', async () => {
    await visit.page.getByText('This Tidings asks for a token.').waitFor()
    await visit.page.getByText('tidings token create').waitFor()
    await until('its field has the focus', async () => (await visit.focused()) === 'token')
  })

  test('says what is wrong with a token that cannot be sent, or is unknown', async () => {
    await signIn('tök€n')
    await visit.page.getByText(/^This cannot be a token: .* Copy it once more, whole and alone\.$/).waitFor()
    await signIn('wrong')
    await visit.page.getByText('The token is unknown, revoked or expired.').waitFor()
  })

  test('offers somebody without a podcast to make one', async () => {
    await signIn(token)
    await visit.page.getByText('You have no podcast yet').waitFor()
    await visit.page.getByLabel('Name').fill('Evening')
    await visit.button('Create podcast').click()
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await visit.page.getByRole('heading', { name: 'Give Tidings something to read' }).waitFor()
  })

  test('makes a token that is shown once', async () => {
    await visit.link('Settings').click()
    const tokens = visit.page.getByRole('region', { name: 'Tokens' })
    await tokens.getByLabel('Token name').fill('reader')
    await tokens.getByRole('button', { name: 'Create token' }).click()
    const shown = await tokens.getByLabel(/^New token/).inputValue()
    assert.ok(shown.length > 20)
    await visit.page.reload()
    await tokens.getByText('reader').waitFor()
    assert.equal(await tokens.getByLabel(/^New token/).count(), 0)
  })

  test('offers a user without admin rights nothing that would only be refused', async () => {
    const region = (name: string) => visit.page.getByRole('region', { name, exact: true })
    await region('Configuration').getByText('Your token has no admin rights.').waitFor()
    assert.equal(await region('Users').count(), 0)
    assert.equal(await region('Tokens').getByLabel('With admin rights').count(), 0)
    for (const name of ['Podcasts', 'Keys', 'Webhooks', 'Notifications', 'About']) await region(name).waitFor()
    assert.deepEqual(
      visit.complaints.filter((text) => text.includes('status of 403')),
      [],
    )
  })

  test('tells that the server cannot be reached, and stops telling when it can', async () => {
    await visit.page.route('**/api/**', (route) => route.abort())
    await visit.link('Posts').click()
    const banner = visit.page.getByText(/^Tidings cannot be reached\. .* This page tries again by itself\.$/)
    await banner.waitFor()
    await visit.page.unroute('**/api/**')
    await visit.link('Overview').click()
    await banner.waitFor({ state: 'detached' })
  })

  test('signs out', async () => {
    await visit.button('Sign out').click()
    await visit.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })
})
