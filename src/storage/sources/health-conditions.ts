// The health of sources as conditions on their rows: what healthOf in domain/health.ts says, in SQL.
import type { SourceHealth } from '../../domain/health.ts'

export const HEALTH_CONDITIONS: Readonly<Record<SourceHealth, string>> = {
  ok: 'enabled = 1 AND consecutive_failures = 0 AND last_succeeded_at IS NOT NULL AND quiet_since IS NULL',
  failing: 'enabled = 1 AND consecutive_failures > 0',
  disabled: 'enabled = 0',
  quiet: 'enabled = 1 AND consecutive_failures = 0 AND last_succeeded_at IS NOT NULL AND quiet_since IS NOT NULL',
  new: 'enabled = 1 AND consecutive_failures = 0 AND last_succeeded_at IS NULL',
}
