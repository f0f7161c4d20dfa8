// Why a source was or was not polled, under its row. It stays open through refreshes and follows what they find.
import { call } from './api.js'
import { element, shortened, time } from './element.js'

export function whyPanel(path) {
  const panel = element('div', { class: 'why', hidden: true })
  let asked = 0

  async function fill(url) {
    const mine = ++asked
    const found = await explanation(path, url).catch(({ message }) => [element('p', { class: 'problem' }, message)])
    if (mine === asked) panel.replaceChildren(...found)
  }

  return {
    panel,
    toggle(url) {
      panel.hidden = !panel.hidden
      if (!panel.hidden) fill(url)
      return !panel.hidden
    },
    refresh(url) {
      if (!panel.hidden) fill(url)
    },
  }
}

async function explanation(path, url) {
  const [why, polls] = await Promise.all([call('GET', `${path}/why`), call('GET', `${path}/polls?limit=5`)])
  const lines = polls.items.map((poll) =>
    element(
      'li',
      {},
      time(poll.startedAt, ''),
      ` ${poll.outcome}, ${poll.created} new of ${poll.found}`,
      poll.reason ? `: ${poll.reason}` : '',
    ),
  )
  const whole = shortened(url) === url ? null : element('p', { class: 'whole' }, element('bdi', {}, url))
  return [element('p', {}, why.sentence), element('ul', {}, ...lines), ...(whole ? [whole] : [])]
}
