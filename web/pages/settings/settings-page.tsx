// Who and what works with this Tidings, and how it is configured. Whoever has no admin rights sees nothing that would only
// be refused.
import { useIsAdmin } from '../../frame/caller.ts'
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
  const isAdmin = useIsAdmin()
  return (
    <>
      <h1>Settings</h1>
      <div class="settings-grid">
        <Podcasts userId={userId} />
        {isAdmin && <Users />}
        <Tokens userId={userId} mayMakeAdmin={isAdmin === true} />
        <Keys userId={userId} />
        <Webhooks userId={userId} />
        <Notifications userId={userId} />
        <About />
        {isAdmin !== null && <Configuration isAdmin={isAdmin} />}
      </div>
    </>
  )
}
