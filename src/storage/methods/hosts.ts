// Methods of the store about hosts, their leases, breakers and probes.
import {
  changeHost,
  claimNextTurn,
  extendLease,
  hostState,
  leaseHost,
  releaseHost,
  renewLeases,
  setHostsBack,
  spacedHosts,
} from '../hosts/hosts.ts'
import { noteVisit } from '../hosts/lane-hours.ts'
import { hostListing, listHosts } from '../hosts/list-hosts.ts'
import {
  countDueAhead,
  countGoodHosts,
  enabledRotation,
  hasSources,
  hostsThatWorked,
  laneRotation,
  nextMadeDue,
  probeRotation,
} from '../hosts/next-probe.ts'
import { recoverHost, troubledHosts } from '../hosts/recover-host.ts'
import type { Bind } from './bind.ts'

export function hostMethods({ verb, verbByTypes }: Bind) {
  return {
    hostState: verb(hostState),
    spacedHosts: verb(spacedHosts),
    leaseHost: verb(leaseHost),
    extendLease: verb(extendLease),
    releaseHost: verb(releaseHost),
    renewLeases: verb(renewLeases),
    claimNextTurn: verb(claimNextTurn),
    changeHost: verb(changeHost),
    setHostsBack: verb(setHostsBack),
    listHosts: verb(listHosts),
    hostListing: verb(hostListing),
    recoverHost: verb(recoverHost),
    troubledHosts: verb(troubledHosts),
    enabledRotation: verb(enabledRotation),
    nextMadeDue: verb(nextMadeDue),
    probeRotation: verb(probeRotation),
    hasSources: verb(hasSources),
    countGoodHosts: verbByTypes(countGoodHosts),
    hostsThatWorked: verbByTypes(hostsThatWorked),
    laneRotation: verbByTypes(laneRotation),
    countDueAhead: verb(countDueAhead),
    noteVisit: verb(noteVisit),
  }
}
