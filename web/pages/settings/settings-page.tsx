// Who and what works with this Tidings, and how it is configured.
import type { Podcast } from '../../frame/podcasts.ts'
import { About } from './about.tsx'
import { Configuration } from './configuration.tsx'
import { Keys } from './keys.tsx'
import { Notifications } from './notifications.tsx'
import { Podcasts } from './podcasts.tsx'
import { Tokens } from './tokens.tsx'
import { Users } from './users.tsx'
import { Webhooks } from './webhooks.tsx'

export function SettingsPage({ podcast }: { readonly podcast: Podcast }) {
  const { userId } = podcast
  return (
    <>
      <h1>Settings</h1>
      <div class="settings-grid">
        <Podcasts userId={userId} />
        <Users />
        <Tokens userId={userId} />
        <Keys userId={userId} />
        <Webhooks userId={userId} />
        <Notifications userId={userId} />
        <Configuration />
        <About />
      </div>
    </>
  )
}
