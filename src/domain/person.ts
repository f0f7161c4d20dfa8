// People, what they own, and how they prove who they are.

export const DEFAULT_ID = 'default'

export interface User {
  readonly id: string
  readonly name: string
  readonly createdAt: number
}

export interface Podcast {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly topic: string | null
  readonly maxArticleAgeDays: number | null
  readonly createdAt: number
}

/** The token itself is shown once and never stored: only its sha256 is. */
export interface Token {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly admin: boolean
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}
