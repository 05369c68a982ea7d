import { externalLoginOperations } from "./accounts/external-logins/operations.ts";
import { attentionOperations } from "./administration/attention/operations.ts";
import { dailyUsageOperations } from "./administration/operations/daily-usage.ts";
import { feedOperations } from "./administration/operations/feeds.ts";
import { globalMessageOperations } from "./administration/operations/global-messages.ts";
import { installUserOperations } from "./administration/operations/install-users.ts";
import { jobOperations } from "./administration/operations/jobs.ts";
import {
  superuserNamespaceOperations,
  superuserOrganizationOperations,
} from "./administration/operations/organizations.ts";
import { registrySizeOperations } from "./administration/operations/registry-size.ts";
import { settingOperations } from "./administration/operations/settings.ts";
import { buildOperations, superuserBuildOperations } from "./builds/operations/builds.ts";
import { buildTriggerOperations } from "./builds/operations/triggers.ts";
import { immutabilityPolicyOperations } from "./content/operations/immutability-policies.ts";
import { manifestLabelOperations } from "./content/operations/manifest-labels.ts";
import { imageManifestOperations, referrerOperations, tagOperations } from "./content/operations/tags.ts";
import { namespaceNotificationOperations } from "./events/operations/namespace-notifications.ts";
import { repositoryNotificationOperations } from "./events/operations/repository-notifications.ts";
import { repositoryEmailOperations, userNotificationOperations } from "./events/operations/user-notifications.ts";
import { errorDescriptionOperations } from "./http/api-error.ts";
import { discoveryOperations } from "./http/discovery.ts";
import { oauthApplicationOperations } from "./identity/oauth/operations/applications.ts";
import {
  assignedAuthorizationOperations,
  oauthApplicationTokenOperations,
  userAuthorizationOperations,
} from "./identity/oauth/operations/authorizations.ts";
import { robotFederationOperations } from "./identity/robots/operations/federation.ts";
import { organizationRobotOperations, userRobotOperations } from "./identity/robots/operations/robots.ts";
import { serviceKeyOperations } from "./identity/service-keys/operations.ts";
import { appTokenOperations } from "./identity/sign-in/operations/app-tokens.ts";
import { sessionOperations } from "./identity/sign-in/operations/sessions.ts";
import { currentUserOperations, userOperations } from "./identity/users/operations.ts";
import { garbageOperations } from "./lifecycle/collection/operations.ts";
import { prunePolicyOperations } from "./lifecycle/pruning/operations/policies.ts";
import { previewRepositoryAutoPrune } from "./lifecycle/pruning/operations/preview.ts";
import { usageLogOperations } from "./logs/operations.ts";
import type { RegistryOperation } from "./operation.ts";
import { organizationMemberOperations, organizationOperations } from "./organizations/operations.ts";
import { prototypeOperations } from "./organizations/permissions/operations/prototypes.ts";
import {
  repositoryTeamPermissionOperations,
  repositoryUserPermissionOperations,
} from "./organizations/permissions/operations/repository-permissions.ts";
import { repositoryTokenOperations } from "./organizations/permissions/operations/repository-tokens.ts";
import { superuserQuotaOperations } from "./organizations/quotas/operations/of-superusers.ts";
import { organizationQuotaOperations, userQuotaOperations } from "./organizations/quotas/operations/quotas.ts";
import {
  teamInviteOperations,
  teamMemberOperations,
  teamOperations,
  teamSyncOperations,
} from "./organizations/teams/operations.ts";
import { repositoryOperations, starOperations } from "./repositories/operations.ts";
import { entityOperations, searchOperations } from "./repositories/search/operations.ts";
import { ignoreRuleOperations } from "./security/ignore-rules/operations.ts";
import { namespaceSecurityOperations } from "./security/namespace-security/operations.ts";
import { securityOperations } from "./security/operations.ts";
import { pullGateOperations } from "./security/pull-gate/operations.ts";
import { mirrorOperations } from "./sources/mirrors/operations.ts";
import { organizationMirrorOperations } from "./sources/organization-mirrors/operations.ts";
import { proxyCacheOperations } from "./sources/proxy-caches/operations.ts";

/** The operations of the management API, with the types of their calls. */
export const typedOperations = [
  ...userAuthorizationOperations,
  ...assignedAuthorizationOperations,
  ...userNotificationOperations,
  ...userOperations,
  ...currentUserOperations,
  ...attentionOperations,
  ...oauthApplicationTokenOperations,
  ...oauthApplicationOperations,
  ...sessionOperations,
  ...externalLoginOperations,
  ...appTokenOperations,
  ...errorDescriptionOperations,
  ...globalMessageOperations,
  ...installUserOperations,
  ...registrySizeOperations,
  ...serviceKeyOperations,
  ...organizationQuotaOperations,
  ...superuserQuotaOperations,
  ...userQuotaOperations,
  previewRepositoryAutoPrune,
  ...prunePolicyOperations,
  ...pullGateOperations,
  ...ignoreRuleOperations,
  ...mirrorOperations,
  ...organizationMirrorOperations,
  ...proxyCacheOperations,
  ...repositoryNotificationOperations,
  ...namespaceNotificationOperations,
  ...repositoryEmailOperations,
  ...buildOperations,
  ...buildTriggerOperations,
  ...superuserBuildOperations,
  ...superuserNamespaceOperations,
  ...superuserOrganizationOperations,
  ...feedOperations,
  ...jobOperations,
  ...garbageOperations,
  ...settingOperations,
  ...usageLogOperations,
  ...prototypeOperations,
  ...repositoryOperations,
  ...starOperations,
  ...dailyUsageOperations,
  ...searchOperations,
  ...repositoryUserPermissionOperations,
  ...repositoryTeamPermissionOperations,
  ...repositoryTokenOperations,
  ...tagOperations,
  ...immutabilityPolicyOperations,
  ...imageManifestOperations,
  ...securityOperations,
  ...namespaceSecurityOperations,
  ...manifestLabelOperations,
  ...referrerOperations,
  ...organizationOperations,
  ...userRobotOperations,
  ...organizationRobotOperations,
  ...robotFederationOperations,
  ...organizationMemberOperations,
  ...teamOperations,
  ...teamMemberOperations,
  ...teamInviteOperations,
  ...teamSyncOperations,
  ...entityOperations,
] as const; // without it, the compiler compares each type with each, to leave out those that others cover

/** Every operation of the management API. */
export const registryOperations: readonly RegistryOperation[] = [
  ...typedOperations,
  ...discoveryOperations(typedOperations),
];
