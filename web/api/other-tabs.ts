// Tabs of one browser tell each other when somebody changed something: most changes by people are no live event.
const channel = new BroadcastChannel('tidings-changes')

export function tellOtherTabs(): void {
  channel.postMessage('changed')
}

/** Many changes in a row are told once. */
export function onChangeInOtherTab(listener: () => void): () => void {
  let timer = 0
  const hear = () => {
    timer ||= setTimeout(() => {
      timer = 0
      listener()
    }, GATHER_MS)
  }
  channel.addEventListener('message', hear)
  return () => {
    channel.removeEventListener('message', hear)
    clearTimeout(timer)
  }
}

const GATHER_MS = 300
