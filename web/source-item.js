// One source in the list: how it is, and what can be done about it.
import { call } from './api.js'
import { element, link, time } from './element.js'

export function healthOf(source) {
  if (!source.enabled) return 'disabled'
  if (source.consecutiveFailures > 0) return 'failing'
  return source.lastSucceededAt ? 'ok' : 'new'
}

/** `act(work)` runs something, shows what goes wrong, and refreshes. */
export function sourceItem(source, path, act) {
  const health = healthOf(source)
  const more = element('div', { class: 'why', hidden: true })
  const button = (text, work, properties = {}) =>
    element('button', { ...properties, onclick: (event) => act(work, event.currentTarget) }, text)
  const toggle = source.enabled ? 'Disable' : 'Enable'
  return element(
    'li',
    { class: health },
    element(
      'div',
      { class: 'what' },
      element('span', { class: 'dot', title: health }),
      element('strong', {}, link(source.url, source.label ?? source.url)),
      element('span', { class: 'badge' }, source.type),
      element('span', { class: `badge ${health}` }, health),
    ),
    element(
      'div',
      { class: 'facts' },
      ...(source.label ? [source.url, ' · '] : []),
      `every ${interval(source.effectivePollIntervalMinutes)} · polled `,
      // A new one has a made-up last poll, which spreads the first polls.
      time(health === 'new' ? null : source.lastPolled, 'never'),
      ' · next ',
      isDue(source) ? 'now' : time(source.nextPollAt, source.enabled ? 'soon' : 'never'),
      ` · ${source.postCount} ${source.postCount === 1 ? 'post' : 'posts'}`,
    ),
    problemOf(source),
    element(
      'div',
      { class: 'actions' },
      button('Poll now', () => call('POST', `${path}/poll?wait=true&timeout=20`)),
      button(toggle, () => call('PATCH', path, { enabled: !source.enabled })),
      element(
        'button',
        { 'aria-expanded': 'false', onclick: (event) => explain(path, more, event.currentTarget) },
        'Why?',
      ),
      button('Remove', () => confirm(`Remove ${source.url} with its posts?`) && call('DELETE', path), {
        class: 'danger',
      }),
    ),
    more,
  )
}

function isDue({ nextPollAt }) {
  return nextPollAt !== null && Date.parse(nextPollAt) <= Date.now()
}

function interval(minutes) {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`
  return `${minutes} min`
}

function problemOf({ disabledReason, lastFailureReason, consecutiveFailures }) {
  const text = disabledReason ?? (lastFailureReason && `${lastFailureReason} (${consecutiveFailures} in a row)`)
  return text ? element('div', { class: 'problem' }, text) : null
}

async function explain(path, place, button) {
  place.hidden = !place.hidden
  button.setAttribute('aria-expanded', String(!place.hidden))
  if (place.hidden) return
  try {
    place.replaceChildren(...(await explanation(path)))
  } catch (error) {
    place.replaceChildren(element('p', { class: 'problem' }, error.message))
  }
}

async function explanation(path) {
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
  return [element('p', {}, why.sentence), element('ul', {}, ...lines)]
}
