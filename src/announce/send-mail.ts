// Sends one notification through the operator's mail server. The reason of a failure is shown to the owner of the
// notifier, who may have no admin rights: it never contains the login of the operator.
import { Socket } from 'node:net'
import { decoded } from '../domain/address.ts'
import { hideSecretsIn, onOneLine } from '../domain/failure-reason.ts'
import type { Config } from '../ports/config.ts'
import type { Notification } from './notification.ts'

/** `failure` null: the server took the message. */
export type MailResult =
  | { readonly kind: 'mailed'; readonly failure: MailFailure | null }
  | { readonly kind: 'aborted' }

export interface MailFailure {
  readonly error: string
  /** The server refused this message, or the address that it is for. */
  readonly saysNothingOfHost?: boolean
}

/** How long the server may be silent. A server that keeps talking is given up when the signal says so. */
const SILENCE_LIMIT_MS = 10_000

export interface Letter extends Notification {
  /** The same in every try, so that mail programs show a message once that the server took without being heard. */
  readonly messageId: string
}

export async function sendMail(
  mail: Config['mail'],
  to: string,
  { title, text, messageId }: Letter,
  signal: AbortSignal,
  silenceLimitMs = SILENCE_LIMIT_MS,
): Promise<MailResult> {
  if (mail.url === null || mail.from === null) return failed('app.mail.url and app.mail.from are not configured')
  // Only here: most installations send no mail.
  const { createTransport } = await import('nodemailer')
  if (signal.aborted) return { kind: 'aborted' }
  const limits = {
    connectionTimeout: silenceLimitMs,
    greetingTimeout: silenceLimitMs,
    socketTimeout: silenceLimitMs,
  }
  const socket = new MailSocket()
  const givenUp = Promise.withResolvers<never>()
  const giveUp = () => {
    socket.giveUp()
    givenUp.reject(new Error('given up'))
  }
  signal.addEventListener('abort', giveUp, { once: true })
  const transport = createTransport({ url: mail.url, socket, ...limits })
  try {
    const id = `<${messageId}@${domainOf(mail.from)}>`
    const letter = { from: mail.from, to: { name: '', address: to }, subject: title, text, messageId: id }
    // Whoever looks up the name of the server cannot be stopped.
    await Promise.race([transport.sendMail(letter), givenUp.promise])
    return { kind: 'mailed', failure: null }
  } catch (error) {
    if (signal.aborted) return { kind: 'aborted' }
    return failed(onOneLine(hideSecretsIn(reasonOf(error), loginsIn(mail.url))), isOfMessage(error))
  } finally {
    signal.removeEventListener('abort', giveUp)
    transport.close()
    socket.destroy()
  }
}

/** A socket of our own can be closed at any time; nodemailer has no way to give a message up. */
class MailSocket extends Socket {
  #isGivenUp = false

  constructor() {
    super()
    // nodemailer listens only from when it connects. An error that nobody hears would end the process.
    this.on('error', () => {})
  }

  giveUp(): void {
    this.#isGivenUp = true
    this.destroy(new Error('given up'))
  }

  /** nodemailer looks up the name of the server first. A socket that was destroyed meanwhile would connect all the same. */
  override connect(...given: unknown[]): this {
    if (this.#isGivenUp) throw new Error('given up')
    return super.connect(...(given as Parameters<Socket['connect']>))
  }
}

/** Of an address such as `ann@example.org` or `Ann <ann@example.org>`. */
function domainOf(address: string): string {
  return /@([^@<>\s]+)>?\s*$/.exec(address)?.[1] ?? 'localhost'
}

function failed(error: string, saysNothingOfHost = false): MailResult {
  return { kind: 'mailed', failure: { error, saysNothingOfHost } }
}

interface SmtpError {
  readonly code?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
}

/**
 * A user chooses who a message is for, and some of its words. What the server thinks of these must not hold up others.
 * With 421 it ends the conversation, whatever the message.
 */
function isOfMessage(error: unknown): boolean {
  const { code, command, responseCode } = error as SmtpError
  return (command === 'RCPT TO' || code === 'EMESSAGE') && responseCode !== 421
}

/** The login as the configuration has it, and as it is sent to the server (AUTH PLAIN and AUTH LOGIN). */
function loginsIn(mailUrl: string): string[] {
  const { username, password } = new URL(mailUrl)
  if (password === '') return []
  // A user name may contain a colon, so the two are never taken from one text.
  const [user, word] = [decoded(username), decoded(password)]
  const sent = [`\0${user}\0${word}`, word, `${user}:${word}`]
  return [word, ...sent.map((text) => Buffer.from(text).toString('base64'))]
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error
  // nodemailer replaces the codes of most TLS errors by its own, so the texts of OpenSSL have to do.
  if (message.includes('wrong version number'))
    return 'The mail server does not speak TLS from the start on this port: use smtp:// in app.mail.url, or its port for TLS'
  // A server that speaks TLS from the start waits for the client to begin.
  if (message === 'Greeting never received')
    return 'The mail server said nothing: if it speaks TLS from the start (port 465), use smtps:// in app.mail.url'
  if (message === 'Timeout') return 'The mail server stopped answering'
  const untrusted = /unable to (?:get|verify)[^;]*certificate[^;]*|self-signed certificate[^;]*/.exec(message)
  if (untrusted)
    return `The mail server's certificate is not trusted (${untrusted[0]}): add the certificate to app.mail.url as ?tls.ca=, percent-encoded`
  return message
}
