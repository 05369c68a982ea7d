import { attentionOperations } from "./attention/operations.ts";
import { buildOperations } from "./builds/operations/builds.ts";
import { superuserBuildOperations } from "./builds/operations/of-superusers.ts";
import { buildTriggerOperations } from "./builds/operations/triggers.ts";
import { garbageOperations } from "./collection/operations/garbage.ts";
import { imageManifestOperations } from "./content/operations/image-manifests.ts";
import { immutabilityPolicyOperations } from "./content/operations/immutability-policies.ts";
import { manifestLabelOperations } from "./content/operations/manifest-labels.ts";
import { referrerOperations } from "./content/operations/referrers.ts";
import { tagOperations } from "./content/operations/tags.ts";
import { namespaceNotificationOperations } from "./events/operations/namespace-notifications.ts";
import { repositoryEmailOperations } from "./events/operations/repository-emails.ts";
import { repositoryNotificationOperations } from "./events/operations/repository-notifications.ts";
import { userNotificationOperations } from "./events/operations/user-notifications.ts";
import { externalLoginOperations } from "./external-logins/operations.ts";
import { discoveryOperations } from "./http/discovery-operation.ts";
import { errorDescriptionOperations } from "./http/error-descriptions.ts";
import { ignoreRuleOperations } from "./ignore-rules/operations.ts";
import { usageLogOperations } from "./logs/operations.ts";
import { mirrorOperations } from "./mirrors/operations.ts";
import { namespaceSecurityOperations } from "./namespace-security/operations.ts";
import { oauthApplicationTokenOperations } from "./oauth/operations/application-tokens.ts";
import { oauthApplicationOperations } from "./oauth/operations/applications.ts";
import { assignedAuthorizationOperations } from "./oauth/operations/assigned-authorizations.ts";
import { userAuthorizationOperations } from "./oauth/operations/user-authorizations.ts";
import type { RegistryOperation } from "./operation.ts";
import { organizationMirrorOperations } from "./organization-mirrors/operations.ts";
import { organizationMemberOperations } from "./organizations/operations/members.ts";
import { organizationOperations } from "./organizations/operations/organizations.ts";
import { repositoryTeamPermissionOperations } from "./permissions/operations/of-teams.ts";
import { repositoryUserPermissionOperations } from "./permissions/operations/of-users.ts";
import { prototypeOperations } from "./permissions/operations/prototypes.ts";
import { repositoryTokenOperations } from "./permissions/operations/repository-tokens.ts";
import { proxyCacheOperations } from "./proxy-caches/operations.ts";
import { prunePolicyOperations } from "./pruning/operations/policies.ts";
import { previewRepositoryAutoPrune } from "./pruning/operations/preview.ts";
import { pullGateOperations } from "./pull-gate/operations.ts";
import { organizationQuotaOperations } from "./quotas/operations/of-organizations.ts";
import { superuserQuotaOperations } from "./quotas/operations/of-superusers.ts";
import { userQuotaOperations } from "./quotas/operations/of-users.ts";
import { repositoryOperations } from "./repositories/operations/repositories.ts";
import { starOperations } from "./repositories/operations/stars.ts";
import { robotFederationOperations } from "./robots/operations/federation.ts";
import { organizationRobotOperations } from "./robots/operations/of-organizations.ts";
import { userRobotOperations } from "./robots/operations/of-users.ts";
import { entityOperations } from "./search/operations/entities.ts";
import { searchOperations } from "./search/operations/search.ts";
import { securityOperations } from "./security/operations.ts";
import { serviceKeyOperations } from "./service-keys/operations.ts";
import { appTokenOperations } from "./sign-in/operations/app-tokens.ts";
import { sessionOperations } from "./sign-in/operations/sessions.ts";
import { feedOperations } from "./superuser/operations/feeds.ts";
import { globalMessageOperations } from "./superuser/operations/global-messages.ts";
import { installUserOperations } from "./superuser/operations/install-users.ts";
import { jobOperations } from "./superuser/operations/jobs.ts";
import { superuserNamespaceOperations } from "./superuser/operations/namespaces.ts";
import { superuserOrganizationOperations } from "./superuser/operations/organizations.ts";
import { registrySizeOperations } from "./superuser/operations/registry-size.ts";
import { settingOperations } from "./superuser/operations/settings.ts";
import { teamInviteOperations } from "./teams/operations/invites.ts";
import { teamMemberOperations } from "./teams/operations/members.ts";
import { teamSyncOperations } from "./teams/operations/sync.ts";
import { teamOperations } from "./teams/operations/teams.ts";
import { currentUserOperations } from "./users/operations/current-user.ts";
import { userOperations } from "./users/operations/users.ts";

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
