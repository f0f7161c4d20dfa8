// Entries that came and went between two polls may still stand on earlier pages of the feed (RFC 5005). They are read
// within the same poll, until one of them is known.
import { hostOf } from '../../domain/address.ts'
import { NULL_LANE } from '../../domain/lane.ts'
import type { Candidate } from '../../domain/post.ts'
import { isAllAfterLastSeen } from '../../domain/rhythm.ts'
import type { Source } from '../../domain/source.ts'
import type { EarlierPage, ReadResult, SourceReader } from '../../ports/reader.ts'
import { type CloseLaneDeps, closeLane } from '../lanes/close-lane.ts'
import type { PollVisit } from '../visit/visit.ts'
import { chooseFrom, type FindingsDeps } from './findings.ts'

const PAGES = 5

export async function withEarlierPages(
  deps: FindingsDeps & CloseLaneDeps,
  source: Source,
  reader: SourceReader,
  visit: PollVisit,
  startedAt: number,
): Promise<ReadResult> {
  let read = await reader.read(source, visit)
  const asked = new Set<string>()
  while (read.kind === 'document' && reader.readEarlier && asked.size < PAGES) {
    const { candidates, earlierUrl, answer } = read
    if (!earlierUrl || earlierUrl === answer.url || asked.has(earlierUrl)) break
    if (!isSameHost(earlierUrl, answer.url)) break
    if (!(await hasGap(deps, source, candidates, startedAt))) break
    asked.add(earlierUrl)
    const page: EarlierPage = await reader.readEarlier(earlierUrl, source, visit)
    if (page.kind === 'refused') await closeLane(deps, visit.visited?.lane ?? NULL_LANE, page.answer)
    if (page.kind !== 'page') break
    read = { ...read, candidates: joined(candidates, page.candidates), earlierUrl: page.earlierUrl }
  }
  return read
}

async function hasGap(
  deps: FindingsDeps,
  source: Source,
  candidates: readonly Candidate[],
  startedAt: number,
): Promise<boolean> {
  if (!isAllAfterLastSeen(candidates, source)) return false
  return (await chooseFrom(deps, source, candidates, startedAt)).gap !== null
}

/** A page may begin with entries of the one before: they must not look like entries that are known. */
function joined(candidates: readonly Candidate[], earlier: readonly Candidate[]): readonly Candidate[] {
  const guids = new Set(candidates.flatMap(({ guid }) => guid ?? []))
  const hashes = new Set(candidates.map(({ contentHash }) => contentHash))
  const isThere = ({ guid, contentHash }: Candidate): boolean =>
    hashes.has(contentHash) || (guid !== null && guids.has(guid))
  return [...candidates, ...earlier.filter((candidate) => !isThere(candidate))]
}

/** A page elsewhere would need the lane of another host for something nobody asked for. */
function isSameHost(url: string, documentUrl: string): boolean {
  return hostOf(url) === hostOf(documentUrl)
}
