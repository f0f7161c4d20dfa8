// The settings as somebody uses them: podcasts, users, tokens, keys, webhooks, notifiers, configuration. Whatever is made
// is shown at once, works, and is removed only after a question.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { usePostgres } from '../support/postgres.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { openVisit, type Visit } from './visit.ts'

const postgres = usePostgres()

for (const engine of ['SQLite', 'PostgreSQL']) describe(`the settings on ${engine}`, () => journey(engine))

function journey(engine: string): void {
  let visit: Visit
  let receiver: Receiver

  before(async () => {
    receiver = await startReceiver()
    visit = await openVisit({ database: engine === 'SQLite' ? null : await postgres.freshDatabase() })
    await visit.open('/settings', 'Settings')
  })
  after(async () => {
    await visit?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  const region = (name: string) => visit.page.getByRole('region', { name, exact: true })
  async function give(where: string, field: string, text: string, button: string): Promise<void> {
    await region(where).getByLabel(field, { exact: true }).fill(text)
    await region(where).getByRole('button', { name: button, exact: true }).click()
  }
  async function removeAfterQuestion(where: string, button: string, yes: string): Promise<void> {
    const opening = region(where).getByRole('button', { name: button, exact: true })
    await opening.click()
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
    await opening.click()
    await visit.page.getByRole('dialog').getByRole('button', { name: yes, exact: true }).click()
    await opening.waitFor({ state: 'detached' })
  }

  test('make, rename and remove a podcast', async () => {
    await give('Podcasts', 'New podcast', 'Evening', 'Create podcast')
    const name = region('Podcasts').getByLabel('Name of Evening')
    await name.fill('Night')
    await name.press('Enter')
    await region('Podcasts').getByLabel('Name of Night').waitFor()
    await until('the choice of podcasts has it', async () => {
      const options = await visit.page
        .getByRole('combobox', { name: /^Podcast/ })
        .locator('option')
        .allInnerTexts()
      return options.includes('Night')
    })
    await removeAfterQuestion('Podcasts', 'Remove Night', 'Remove podcast')
  })

  test('say in words what is wrong with a name, and change nothing', async () => {
    const name = region('Podcasts').getByLabel('Name of Default')
    await name.fill(' ')
    await name.press('Enter')
    await visit.notice(/name: expected a name/)
    await until('the name is as it was', async () => (await name.inputValue()) === 'Default')
    await until('the browser complains', () => visit.complaints.length > 0)
    assert.match(visit.complaints.pop() ?? '', /status of 400/)
  })

  test('keep what is being typed while news about another podcast comes in', async () => {
    const news = Promise.withResolvers<void>()
    await visit.page.route(/podcasts\?limit=500/, async (route) => {
      await news.promise
      await route.continue()
    })
    await give('Podcasts', 'New podcast', 'Noon', 'Create podcast')
    const name = region('Podcasts').getByLabel('Name of Default')
    await name.fill('Half a na')
    news.resolve()
    await region('Podcasts').getByLabel('Name of Noon').waitFor()
    assert.equal(await name.inputValue(), 'Half a na')
    await visit.page.unroute(/podcasts\?limit=500/)
    await name.fill('Default')
    await removeAfterQuestion('Podcasts', 'Remove Noon', 'Remove podcast')
  })

  test('make and remove a user', async () => {
    await give('Users', 'New user', 'Uma', 'Create user')
    await region('Users').getByText('Uma').waitFor()
    await removeAfterQuestion('Users', 'Remove Uma', 'Remove user')
  })

  test('make a token, show it once, and revoke it', async () => {
    await region('Tokens').getByLabel('With admin rights').check()
    await give('Tokens', 'Token name', 'pipeline', 'Create token')
    const shown = region('Tokens').getByLabel(/^New token/)
    assert.ok((await shown.inputValue()).length > 20)
    const tokens = async () => (await visit.api('GET', '/api/users/default/tokens')).items
    assert.deepEqual(
      (await tokens()).map(({ name, admin }: { name: string; admin: boolean }) => [name, admin]),
      [['pipeline', true]],
    )
    await removeAfterQuestion('Tokens', 'Revoke pipeline', 'Revoke token')
    assert.deepEqual(await tokens(), [])
  })

  test('store a key, never show it, and remove it', async () => {
    await give('Keys', 'X API key', 'very-secret-key', 'Store key')
    await region('Keys').getByText('stored', { exact: true }).waitFor()
    assert.doesNotMatch(await visit.page.content(), /very-secret-key/)
    await removeAfterQuestion('Keys', 'Remove X key', 'Remove key')
    await region('Keys').getByText('none', { exact: true }).waitFor()
  })

  test('add a webhook, choose its events, test it, and remove it', async () => {
    await region('Webhooks').getByLabel('Events').selectOption({ label: 'New posts' })
    await region('Webhooks').getByLabel('With the posts themselves').check()
    await give('Webhooks', 'Webhook URL', receiver.url, 'Add webhook')
    await region('Webhooks')
      .getByLabel(/^Signing secret/)
      .waitFor()
    const { items } = await visit.api('GET', '/api/users/default/webhooks')
    assert.deepEqual([items[0].types, items[0].includePosts], [['posts.created', 'posts.completed'], true])
    await region('Webhooks')
      .getByRole('button', { name: `Test ${receiver.url}` })
      .click()
    await until('the test event arrived', () => receiver.received.length === 1)
    await removeAfterQuestion('Webhooks', `Remove ${receiver.url}`, 'Remove webhook')
  })

  test('add a notifier for the daily summary only, test it, tell why a test fails, and remove it', async () => {
    await region('Notifications').getByLabel('Daily summary only').check()
    await give('Notifications', 'Target', receiver.url, 'Add notifier')
    await region('Notifications').getByText('daily summary only', { exact: true }).waitFor()
    const testing = region('Notifications').getByRole('button', { name: `Test ${receiver.url}` })
    const before = receiver.received.length
    await testing.click()
    await visit.notice('Sent.')
    // A notice of the test before may still be there.
    await until('it arrived', () => receiver.received.length === before + 1)
    receiver.answer = (_request, response) => response.writeHead(404).end()
    await testing.click()
    await visit.notice(/404/)
    await until('the browser complains', () => visit.complaints.length > 0)
    assert.match(visit.complaints.pop() ?? '', /status of 502/)
    await removeAfterQuestion('Notifications', `Remove ${receiver.url}`, 'Remove notifier')
  })

  test('show the configuration with where it comes from, and what this Tidings runs on', async () => {
    await region('Configuration').getByLabel('Search keys').fill('allow-private')
    const rows = region('Configuration').locator('tbody tr')
    await until('only the key that was looked for is there', async () => (await rows.count()) === 1)
    assert.match(await rows.innerText(), /app\.http\.allow-private-networks.*127\.0\.0\.0\/8.*APP_HTTP_ALLOW_PRIVATE/s)
    await region('About').getByText(engine, { exact: true }).waitFor()
    await region('About').getByText(/^\d+$/).waitFor()
  })

  test('gave the browser nothing to complain about', () => {
    assert.deepEqual(visit.complaints, [])
  })
}
