import type { MigrationSet } from "@plimsoll/store";
import { accountsMigration } from "./0001-accounts.ts";
import { contentMigration } from "./0002-content.ts";
import { repositoriesMigration } from "./0003-repositories.ts";
import { administrationMigration } from "./0004-administration.ts";
import { signInsMigration } from "./0005-sign-ins.ts";
import { scanQueueMigration } from "./0006-scan-queue.ts";
import { usageOfLinksMigration } from "./0007-usage-of-links.ts";
import { foreignKeysMigration } from "./0008-foreign-keys.ts";
import { orderedListsMigration } from "./0009-ordered-lists.ts";
import { collectedImagesMigration } from "./0010-collected-images.ts";
import { dailyLogCountsMigration } from "./0011-daily-log-counts.ts";
import { searchedNamesMigration } from "./0012-searched-names.ts";
import { listedPagesMigration } from "./0013-listed-pages.ts";
import { disabledAccountsMigration } from "./0014-disabled-accounts.ts";
import { mirrorWorkerMigration } from "./0015-mirror-worker.ts";
import { deliveriesMigration } from "./0016-deliveries.ts";
import { logExportsMigration } from "./0017-log-exports.ts";
import { buildRunsMigration } from "./0018-build-runs.ts";
import { externalLoginsMigration } from "./0020-external-logins.ts";
import { proxiedImagesMigration } from "./0024-proxied-images.ts";
import { immutableTagsMigration } from "./0027-immutable-tags.ts";
import { pullGatesMigration } from "./0028-pull-gates.ts";
import { findingCountsMigration } from "./0029-finding-counts.ts";
import { foundVulnerabilitiesMigration } from "./0030-found-vulnerabilities.ts";
import { outsideRolesMigration } from "./0031-outside-roles.ts";
import { robotFederationsMigration } from "./0032-robot-federations.ts";
import { endingInvitesMigration } from "./0033-ending-invites.ts";
import { toldFindingsMigration } from "./0034-told-findings.ts";
import { logArchivesMigration } from "./0035-log-archives.ts";
import { organizationMirrorsMigration } from "./0036-organization-mirrors.ts";
import { buildSourcesMigration } from "./0037-build-sources.ts";
import { buildTriggersMigration } from "./0038-build-triggers.ts";
import { ignoreRulesMigration } from "./0040-ignore-rules.ts";
import { findingTrendsMigration } from "./0041-finding-trends.ts";
import { buildLogArchivesMigration } from "./0042-build-log-archives.ts";
import { failuresMigration } from "./0045-failures.ts";
import { providerSessionsMigration } from "./0046-provider-sessions.ts";
import { organizationImmutabilityMigration } from "./0047-organization-immutability.ts";
import { securityRevisionsMigration } from "./0048-security-revisions.ts";
import { blobRemovalsMigration } from "./0049-blob-removals.ts";
import { dailyPullsMigration } from "./0050-daily-pulls.ts";
import { mirrorWaitsMigration } from "./0051-mirror-waits.ts";
import { documentAttachersMigration } from "./0054-document-attachers.ts";
import { signInNetworksMigration } from "./0055-sign-in-networks.ts";
import { metadataBytesMigration } from "./0056-metadata-bytes.ts";
import { manifestPiecesMigration } from "./0057-manifest-pieces.ts";
import { damagedBlobsMigration } from "./0058-damaged-blobs.ts";
import { proxiedReferrersMigration } from "./0059-proxied-referrers.ts";
import { manifestKindsMigration } from "./0060-manifest-kinds.ts";
import { signInBudgetsMigration } from "./0061-sign-in-budgets.ts";
import { namespaceNotificationsMigration } from "./0062-namespace-notifications.ts";
import { knownLoginsMigration } from "./0063-known-logins.ts";

/** The registry's schema. */
export const registryMigrations: MigrationSet = {
  service: "registry",
  migrations: [
    accountsMigration,
    contentMigration,
    repositoriesMigration,
    administrationMigration,
    signInsMigration,
    scanQueueMigration,
    usageOfLinksMigration,
    foreignKeysMigration,
    orderedListsMigration,
    collectedImagesMigration,
    dailyLogCountsMigration,
    searchedNamesMigration,
    listedPagesMigration,
    disabledAccountsMigration,
    mirrorWorkerMigration,
    deliveriesMigration,
    logExportsMigration,
    buildRunsMigration,
    externalLoginsMigration,
    proxiedImagesMigration,
    immutableTagsMigration,
    pullGatesMigration,
    findingCountsMigration,
    foundVulnerabilitiesMigration,
    outsideRolesMigration,
    robotFederationsMigration,
    endingInvitesMigration,
    toldFindingsMigration,
    logArchivesMigration,
    organizationMirrorsMigration,
    buildSourcesMigration,
    buildTriggersMigration,
    ignoreRulesMigration,
    findingTrendsMigration,
    buildLogArchivesMigration,
    failuresMigration,
    providerSessionsMigration,
    organizationImmutabilityMigration,
    securityRevisionsMigration,
    blobRemovalsMigration,
    dailyPullsMigration,
    mirrorWaitsMigration,
    documentAttachersMigration,
    signInNetworksMigration,
    metadataBytesMigration,
    manifestPiecesMigration,
    damagedBlobsMigration,
    proxiedReferrersMigration,
    manifestKindsMigration,
    signInBudgetsMigration,
    namespaceNotificationsMigration,
    knownLoginsMigration,
  ],
};
