// Receives webhooks: checks the signature, and does nothing twice.
// WEBHOOK_SECRET is what `tidings webhook create http://127.0.0.1:8090/ --types posts.created` printed.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const { WEBHOOK_SECRET, PORT = '8090' } = process.env
if (WEBHOOK_SECRET === undefined) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook.')
const webhook = new Webhook(WEBHOOK_SECRET)

interface Message {
  readonly type: string
  readonly data: { readonly url?: string; readonly count?: number }
}

// A message may come twice. A real receiver keeps these ids where it keeps its work, in the same transaction.
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  const body = await text(request)
  let message: Message
  try {
    message = webhook.verify(body, request.headers as Record<string, string>) as Message
  } catch {
    // Not from Tidings, or too old. Nothing of it may be used.
    response.writeHead(401).end()
    return
  }
  const id = String(request.headers['webhook-id'])
  if (!seen.has(id)) {
    console.log(`${message.type} ${message.data.url ?? ''} ${message.data.count ?? ''}`.trim())
    seen.add(id)
  }
  // Only now, when the work is safe. After 15 seconds without an answer the message comes again, so put long work into a
  // queue of your own first.
  response.writeHead(204).end()
})
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  console.log(`Listening on port ${typeof address === 'object' ? address?.port : PORT}`)
})
