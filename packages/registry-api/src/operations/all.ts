import type { AnyOperation } from "../operation.ts";
import { appTokenOperations } from "./app-tokens.ts";
import { assignedAuthorizationOperations } from "./assigned-authorizations.ts";
import { buildOperations } from "./builds.ts";
import { currentUserOperations } from "./current-user.ts";
import { discoveryOperations } from "./discovery.ts";
import { entityOperations } from "./entities.ts";
import { errorDescriptionOperations } from "./error-descriptions.ts";
import { globalMessageOperations } from "./global-messages.ts";
import { imageManifestOperations } from "./image-manifests.ts";
import { installUserOperations } from "./install-users.ts";
import { manifestLabelOperations } from "./manifest-labels.ts";
import { mirrorOperations } from "./mirrors.ts";
import { oauthApplicationTokenOperations } from "./oauth-application-tokens.ts";
import { oauthApplicationOperations } from "./oauth-applications.ts";
import { organizationMemberOperations } from "./organization-members.ts";
import { organizationQuotaOperations } from "./organization-quotas.ts";
import { organizationRobotOperations } from "./organization-robots.ts";
import { organizationOperations } from "./organizations.ts";
import { prototypeOperations } from "./prototypes.ts";
import { proxyCacheOperations } from "./proxy-caches.ts";
import { prunePolicyOperations } from "./prune-policies.ts";
import { registrySizeOperations } from "./registry-size.ts";
import { repositoryOperations } from "./repositories.ts";
import { repositoryEmailOperations } from "./repository-emails.ts";
import { repositoryNotificationOperations } from "./repository-notifications.ts";
import { repositoryTeamPermissionOperations } from "./repository-team-permissions.ts";
import { repositoryTokenOperations } from "./repository-tokens.ts";
import { repositoryUserPermissionOperations } from "./repository-user-permissions.ts";
import { searchOperations } from "./search.ts";
import { serviceKeyOperations } from "./service-keys.ts";
import { sessionOperations } from "./sessions.ts";
import { starOperations } from "./stars.ts";
import { superuserBuildOperations } from "./superuser-builds.ts";
import { superuserNamespaceOperations } from "./superuser-namespaces.ts";
import { superuserOrganizationOperations } from "./superuser-organizations.ts";
import { superuserQuotaOperations } from "./superuser-quotas.ts";
import { tagOperations } from "./tags.ts";
import { teamInviteOperations } from "./team-invites.ts";
import { teamMemberOperations } from "./team-members.ts";
import { teamSyncOperations } from "./team-sync.ts";
import { teamOperations } from "./teams.ts";
import { usageLogOperations } from "./usage-logs.ts";
import { userAuthorizationOperations } from "./user-authorizations.ts";
import { userNotificationOperations } from "./user-notifications.ts";
import { userQuotaOperations } from "./user-quotas.ts";
import { userRobotOperations } from "./user-robots.ts";
import { userOperations } from "./users.ts";

const resources: readonly AnyOperation[] = [
  ...userAuthorizationOperations,
  ...assignedAuthorizationOperations,
  ...userNotificationOperations,
  ...userOperations,
  ...currentUserOperations,
  ...oauthApplicationTokenOperations,
  ...oauthApplicationOperations,
  ...sessionOperations,
  ...appTokenOperations,
  ...errorDescriptionOperations,
  ...globalMessageOperations,
  ...installUserOperations,
  ...registrySizeOperations,
  ...serviceKeyOperations,
  ...organizationQuotaOperations,
  ...superuserQuotaOperations,
  ...userQuotaOperations,
  ...prunePolicyOperations,
  ...mirrorOperations,
  ...proxyCacheOperations,
  ...repositoryNotificationOperations,
  ...repositoryEmailOperations,
  ...buildOperations,
  ...superuserBuildOperations,
  ...superuserNamespaceOperations,
  ...superuserOrganizationOperations,
  ...usageLogOperations,
  ...prototypeOperations,
  ...repositoryOperations,
  ...starOperations,
  ...searchOperations,
  ...repositoryUserPermissionOperations,
  ...repositoryTeamPermissionOperations,
  ...repositoryTokenOperations,
  ...tagOperations,
  ...imageManifestOperations,
  ...manifestLabelOperations,
  ...organizationOperations,
  ...userRobotOperations,
  ...organizationRobotOperations,
  ...organizationMemberOperations,
  ...teamOperations,
  ...teamMemberOperations,
  ...teamInviteOperations,
  ...teamSyncOperations,
  ...entityOperations,
];

/** Every operation of the management API. */
export const registryOperations: readonly AnyOperation[] = [...resources, ...discoveryOperations(resources)];
