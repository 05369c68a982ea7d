import { externalLoginOperations } from "./accounts/external-logins/operations.ts";
import { attentionOperations } from "./administration/attention/operations.ts";
import { feedOperations } from "./administration/operations/feeds.ts";
import { globalMessageOperations } from "./administration/operations/global-messages.ts";
import { installUserOperations } from "./administration/operations/install-users.ts";
import { jobOperations } from "./administration/operations/jobs.ts";
import { superuserNamespaceOperations } from "./administration/operations/namespaces.ts";
import { superuserOrganizationOperations } from "./administration/operations/organizations.ts";
import { registrySizeOperations } from "./administration/operations/registry-size.ts";
import { settingOperations } from "./administration/operations/settings.ts";
import { buildOperations } from "./builds/operations/builds.ts";
import { superuserBuildOperations } from "./builds/operations/of-superusers.ts";
import { buildTriggerOperations } from "./builds/operations/triggers.ts";
import { imageManifestOperations } from "./content/operations/image-manifests.ts";
import { immutabilityPolicyOperations } from "./content/operations/immutability-policies.ts";
import { manifestLabelOperations } from "./content/operations/manifest-labels.ts";
import { referrerOperations } from "./content/operations/referrers.ts";
import { tagOperations } from "./content/operations/tags.ts";
import { namespaceNotificationOperations } from "./events/operations/namespace-notifications.ts";
import { repositoryEmailOperations } from "./events/operations/repository-emails.ts";
import { repositoryNotificationOperations } from "./events/operations/repository-notifications.ts";
import { userNotificationOperations } from "./events/operations/user-notifications.ts";
import { discoveryOperations } from "./http/discovery-operation.ts";
import { errorDescriptionOperations } from "./http/error-descriptions.ts";
import { oauthApplicationTokenOperations } from "./identity/oauth/operations/application-tokens.ts";
import { oauthApplicationOperations } from "./identity/oauth/operations/applications.ts";
import { assignedAuthorizationOperations } from "./identity/oauth/operations/assigned-authorizations.ts";
import { userAuthorizationOperations } from "./identity/oauth/operations/user-authorizations.ts";
import { robotFederationOperations } from "./identity/robots/operations/federation.ts";
import { organizationRobotOperations } from "./identity/robots/operations/of-organizations.ts";
import { userRobotOperations } from "./identity/robots/operations/of-users.ts";
import { serviceKeyOperations } from "./identity/service-keys/operations.ts";
import { appTokenOperations } from "./identity/sign-in/operations/app-tokens.ts";
import { sessionOperations } from "./identity/sign-in/operations/sessions.ts";
import { currentUserOperations } from "./identity/users/operations/current-user.ts";
import { userOperations } from "./identity/users/operations/users.ts";
import { garbageOperations } from "./lifecycle/collection/operations/garbage.ts";
import { prunePolicyOperations } from "./lifecycle/pruning/operations/policies.ts";
import { previewRepositoryAutoPrune } from "./lifecycle/pruning/operations/preview.ts";
import { usageLogOperations } from "./logs/operations.ts";
import type { RegistryOperation } from "./operation.ts";
import { organizationMemberOperations } from "./organizations/operations/members.ts";
import { organizationOperations } from "./organizations/operations/organizations.ts";
import { repositoryTeamPermissionOperations } from "./organizations/permissions/operations/of-teams.ts";
import { repositoryUserPermissionOperations } from "./organizations/permissions/operations/of-users.ts";
import { prototypeOperations } from "./organizations/permissions/operations/prototypes.ts";
import { repositoryTokenOperations } from "./organizations/permissions/operations/repository-tokens.ts";
import { organizationQuotaOperations } from "./organizations/quotas/operations/of-organizations.ts";
import { superuserQuotaOperations } from "./organizations/quotas/operations/of-superusers.ts";
import { userQuotaOperations } from "./organizations/quotas/operations/of-users.ts";
import { teamInviteOperations } from "./organizations/teams/operations/invites.ts";
import { teamMemberOperations } from "./organizations/teams/operations/members.ts";
import { teamSyncOperations } from "./organizations/teams/operations/sync.ts";
import { teamOperations } from "./organizations/teams/operations/teams.ts";
import { repositoryOperations } from "./repositories/operations/repositories.ts";
import { starOperations } from "./repositories/operations/stars.ts";
import { entityOperations } from "./repositories/search/operations/entities.ts";
import { searchOperations } from "./repositories/search/operations/search.ts";
import { ignoreRuleOperations } from "./security/ignore-rules/operations.ts";
import { namespaceSecurityOperations } from "./security/namespace-security/operations.ts";
import { securityOperations } from "./security/operations.ts";
import { pullGateOperations } from "./security/pull-gate/operations.ts";
import { mirrorOperations } from "./sources/mirrors/operations.ts";
import { organizationMirrorOperations } from "./sources/organization-mirrors/operations.ts";
import { proxyCacheOperations } from "./sources/proxy-caches/operations.ts";

const resources: readonly RegistryOperation[] = [
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
];

/** Every operation of the management API. */
export const registryOperations: readonly RegistryOperation[] = [...resources, ...discoveryOperations(resources)];
