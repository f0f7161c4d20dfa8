// The source types that the program comes with. A new one is a line here, and its reader a line in app.ts.
import { FEED_TYPE } from './feed-type.ts'
import { SourceTypes } from './source-type.ts'
import { WEBSITE_TYPE } from './website-type.ts'
import { X_TYPE } from './x-type.ts'
import { YOUTUBE_TYPE } from './youtube-type.ts'

export const BUILT_IN_TYPES = new SourceTypes([FEED_TYPE, WEBSITE_TYPE, X_TYPE, YOUTUBE_TYPE])
