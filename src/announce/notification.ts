// An event in words, for people. Pure. The data comes from a message for webhooks, so a field of an earlier version may be
// missing, and texts in it may come from anywhere.

export interface Notification {
  /** ASCII: it becomes a header. */
  readonly title: string
  readonly text: string
}

type Data = Readonly<Record<string, unknown>>

export function notificationOf(payload: string): Notification {
  const { type, data } = JSON.parse(payload) as { readonly type: string; readonly data: Data }
  const { title, text } = (WORDS[type] ?? otherwise(type))(data)
  return { title: `Tidings: ${title}`, text: plain(text) }
}

const WORDS: Readonly<Record<string, (data: Data) => Notification>> = {
  'source.disabled': (data) => ({
    title: 'a source was disabled',
    text: `${of(data.url)} was disabled: ${of(data.reason)}. Enable it again once its address works.`,
  }),
  'source.quiet': (data) => ({
    title: 'a source went quiet',
    text: `${of(data.url)} answers but has published nothing since ${of(data.lastPublishedAt)}, longer than usual.`,
  }),
  'source.gap': (data) => ({
    title: 'entries may be missing',
    text: `${of(data.url)} published more than one poll could see. An interval of ${of(data.intervalMinutes)} minutes would do.`,
  }),
  'host.opened': (data) => ({
    title: 'a host fails',
    text: `${of(data.host)} fails for its sources (${of(data.reason)}). They wait until it answers again.`,
  }),
  'outage.started': (data) => ({
    title: 'our own connection seems down',
    text: `Our own connection seems to be down since ${of(data.since)}. Polling resumes by itself.`,
  }),
  'outage.ended': (data) => ({
    title: 'our own connection is back',
    text: `Our own connection is back after an outage since ${of(data.since)}.`,
  }),
  'summary.daily': (data) => ({ title: 'daily summary', text: summaryText(data) }),
  'notifier.test': () => ({ title: 'test', text: 'A test message of Tidings.' }),
}

function otherwise(type: string): (data: Data) => Notification {
  return (data) => ({ title: type, text: `${type}: ${of(data.url ?? data.host)}` })
}

function summaryText(data: Data): string {
  const totals = (data.totals ?? {}) as Data
  const lines = (heading: string, name: string, line: (entry: Data) => string): string[] => {
    const entries = (data[name] ?? []) as readonly Data[]
    return entries.length === 0 ? [] : ['', heading, ...entries.map((entry) => `- ${line(entry)}`)]
  }
  const head = `${of(totals.posts)} new posts from ${of(totals.polls)} polls of ${of(totals.sources)} sources; ${of(totals.failures)} polls failed.`
  const details = [
    ...lines('Needs a person: disabled', 'disabled', ({ url, reason }) => `${of(url)}: ${of(reason)}`),
    ...lines('Needs a look: hosts that fail', 'opened', ({ host, reason }) => `${of(host)}: ${of(reason)}`),
    ...lines('Noticed: quiet', 'quiet', ({ url }) => of(url)),
    ...lines(
      'Noticed: interval too long',
      'gapped',
      (entry) => `${of(entry.url)}: ${of(entry.intervalMinutes)} minutes would do`,
    ),
    ...lines(
      'Recovered by itself',
      'recovered',
      ({ was, what }) => `${of(what ?? 'our own connection')} (was ${of(was)})`,
    ),
  ]
  return [head, ...(details.length === 0 ? ['Nothing needs you.'] : details)].join('\n')
}

function of(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown'
}

/** Lines stay lines; other control characters go. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ').slice(0, 4000)
}
