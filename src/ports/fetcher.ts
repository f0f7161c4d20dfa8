// HTTP as the rest of the house sees it: one visit to one host, whatever happens told as data.
// Headers come back as the server sent them; what they mean (freshness, Retry-After) is for the rules to say.
import type { Failure } from '../domain/outcome.ts'
import type { Validators } from '../domain/source.ts'

/**
 * Whether `allow-private-networks` counts; 'configured': the operator wrote the address itself, any network will do.
 * `typedHost`: the address is not the one that a trusted person typed, only where that one led. It counts for the networks
 * of the list that the typed host itself lies in.
 */
export type Trust = boolean | 'configured' | { readonly typedHost: string }

export interface FetchRequest {
  /** http or https, without credentials. */
  readonly url: string
  /** What is hoped for; decides the Accept header. */
  readonly accept: 'feed' | 'page' | 'json' | 'any'
  /** Sent to the URL they are from; to every URL on the way when they do not say. */
  readonly validators?: Validators | undefined
  /** `user:password`, sent as Basic auth to the host of `url` only and never after https -> http. */
  readonly basicAuth?: string | undefined
  /** Further headers, such as an API key's. Sent to the host of `url` only. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Makes it a POST with this body; of the answer's body only the start is read. Redirects are never followed then. */
  readonly post?: { readonly body: string; readonly contentType: string } | undefined
  readonly trusted: Trust
  /** `false`: a redirect is an answer like any other status. */
  readonly followRedirects?: boolean | undefined
  /** No more are sent: a further redirect within the host is returned as one that leads elsewhere. */
  readonly mostRequests?: number | undefined
  /** The hops that led here from another host: they count towards the limit and against loops. */
  readonly trail?: readonly Hop[] | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Hop {
  readonly from: string
  readonly to: string
  readonly status: number
}

interface Answered {
  readonly status: number
  /** The URL that answered, after redirects. */
  readonly url: string
  /** Lower-case names; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>
  readonly trail: readonly Hop[]
  /** Bytes of bodies received over the wire, before decompression. */
  readonly wireBytes: number
}

export type FetchResult =
  | ({ readonly kind: 'body'; readonly bytes: Uint8Array; readonly validators: Validators } & Answered)
  | ({ readonly kind: 'not-modified'; readonly validators: Validators } & Answered)
  /** A redirect to another host, or beyond `mostRequests`: the caller changes lanes and asks `location` with this trail. */
  | ({ readonly kind: 'elsewhere'; readonly location: string } & Answered)
  /** Any status that is neither success, 304 nor a followed redirect. `excerpt`: the start of the body, for APIs that explain themselves. */
  | ({ readonly kind: 'status'; readonly failure: Failure; readonly excerpt: string } & Answered)
  /** No answer, or not all of it. */
  | ({ readonly kind: 'failed'; readonly failure: Failure } & Pick<Answered, 'url' | 'trail' | 'wireBytes'>)
  /** Given up by the caller's signal. */
  | { readonly kind: 'aborted' }

export interface Fetcher {
  fetch(request: FetchRequest): Promise<FetchResult>
  close(): Promise<void>
}
