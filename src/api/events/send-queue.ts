// Lets one stream send in each turn of the event loop. Hundreds of readers that resume at the same time must not block
// everything else.

const waiting: (() => void)[] = []

export function sendInTurn(send: () => void): void {
  if (waiting.push(send) === 1) setImmediate(sendNext)
}

function sendNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(sendNext)
}
