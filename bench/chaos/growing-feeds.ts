// Feeds that get an entry every second until they are told to stop. What they list in the end is what has to be stored.
export class GrowingFeeds {
  readonly #bornAt = Date.now()
  #stoppedAt: number | null = null

  stop(): void {
    this.#stoppedAt ??= Date.now()
  }

  titles(): string[] {
    const seconds = Math.floor(((this.#stoppedAt ?? Date.now()) - this.#bornAt) / 1000)
    return Array.from({ length: seconds + 1 }, (_, n) => `Entry ${n}`)
  }

  document(path: string): string {
    const items = this.titles().map((title, n) => {
      const at = new Date(this.#bornAt + n * 1000).toUTCString()
      return `<item><title>${title}</title><guid>${path} ${n}</guid><pubDate>${at}</pubDate></item>`
    })
    return `<rss version="2.0"><channel><title>${path}</title>${items.reverse().join('')}</channel></rss>`
  }
}
