import { describe, expect, it } from "vitest";
import { registryOperations } from "../operations.ts";

/** What bounds the lists without pages. */
const bounded: Readonly<Record<string, string>> = {
  discovery: "the operations that there are",
  getLoggedInUser: "a user, with the organizations whose teams it is in",
  getOrganization: "an organization, with its teams, which the contract shows here alone",
  getOrganizationMember: "one member, with its teams and roles",
  getRepo: "a repository, with 500 tags at most and a month of counts",
  getRepoBuildStatus: "one build",
  getRepoBuild: "one build",
  getRepoBuildLogs: "begins at an entry that is asked for, and ends after so many",
  getRepoBuildStatusSuperUser: "one build",
  getRepoBuildSuperUser: "one build",
  getRepoBuildLogsSuperUser: "begins at an entry that is asked for, and ends after so many",
  listRepositoryImmutabilityPolicies: "the 20 policies of a repository and the 20 of its organization at most",
  listOrganizationImmutabilityPolicies: "the 20 policies of an organization at most",
  getUserRobotFederation: "the 50 federations of a robot at most",
  getOrgRobotFederation: "the 50 federations of a robot at most",
  getManifestPullGate: "the documents of one image, 50 artifacts at most",
  getOrganizationPullGate: "one gate, with 200 exceptions and 20 keys at most",
  getRepositoryPullGate: "one gate, with 200 exceptions and 20 keys at most",
  getRepoManifest: "the layers of one manifest, whose size is bounded",
  getRepoManifestSecurity: "the findings of one image",
  getRepoManifestLicenses: "the packages of one image",
  getRepoManifestSecurityDiff: "what differs between the findings of two images",
  getOrganizationSecurityTrend: "a day each of those that are asked for, at most those that are kept",
  getUserSecurityTrend: "a day each of those that are asked for, at most those that are kept",
  getOrganizationSecurityAges: "four periods",
  getUserSecurityAges: "four periods",
  getOrganizationUsage: "a day each of those that are asked for, and ten repositories",
  getUserUsage: "a day each of those that are asked for, and ten repositories",
  getRegistryUsage: "a day each of those that are asked for, and ten repositories",
  listOrganizationIgnoreRules: "the 200 rules of an organization at most",
  listRepositoryIgnoreRules: "the 200 rules of a repository at most",
  getAttention: "the first ten of each part",
  getGarbage: "a count for each kind of item",
  listSettings: "the settings that there are",
  listFeeds: "the feeds of the scanner",
  getRepoMirrorConfig: "one mirror",
  getOrganizationMirror: "patterns of one rule",
  listBuildTriggers: "50 of a repository",
  getBuildTrigger: "patterns of one trigger",
  getRepoNotification: "one notification",
  getOrgNotification: "one notification",
  getUserNamespaceNotification: "one notification",
  listRepoNotificationDeliveries: "the last 100 deliveries of a notification",
  listOrgNotificationDeliveries: "the last 100 deliveries of a notification",
  listUserNamespaceNotificationDeliveries: "the last 100 deliveries of a notification",
  getServiceKey: "one key",
  getUserAuthorization: "one token",
  getInstallUser: "one user, with its quota",
  getApplicationInformation: "one application",
  getUserQuota: "one quota: a limit for each of two types and each percentage",
  getOrganizationQuota: "one quota",
  listUserQuota: "a namespace has one quota or none",
  listOrganizationQuota: "a namespace has one quota or none",
  listUserQuotaSuperUser: "a namespace has one quota or none",
  listOrganizationQuotaSuperUser: "a namespace has one quota or none",
  listUserQuotaLimit: "the limits of one quota",
  listOrganizationQuotaLimit: "the limits of one quota",
  getAggregateUserLogs: "the kinds of 31 days",
  getAggregateOrgLogs: "the kinds of 31 days",
  getAggregateRepoLogs: "the kinds of 31 days",
  listAllAggregateLogs: "the kinds of 31 days",
  conductSearch: "the best of each kind",
  getMatchingEntities: "the first of each kind",
};

/** A schema, as far as it matters here. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: object;
  readonly anyOf?: readonly Schema[];
}

function hasList({ type, properties = {}, patternProperties, anyOf = [] }: Schema): boolean {
  if (type === "array" || patternProperties !== undefined) return true;
  return [...Object.values(properties), ...anyOf].some(hasList);
}

function isPaged(query: Schema | undefined): boolean {
  const { next_page, page, limit } = query?.properties ?? {};
  return [next_page, page, limit].some((member) => member !== undefined);
}

const lists = registryOperations.filter(
  ({ method, result }) => method === "GET" && result !== undefined && hasList(result as Schema),
);

describe("operations that answer lists", () => {
  it("have pages, or are bounded otherwise", () => {
    const unpaged = lists.filter(({ query }) => !isPaged(query as Schema | undefined)).map(({ id }) => id);

    expect(unpaged.filter((id) => bounded[id] === undefined)).toEqual([]);
    expect(Object.keys(bounded).filter((id) => !unpaged.includes(id))).toEqual([]);
  });

  it("declare next_page in their results if their pages have tokens", () => {
    const silent = lists.filter(({ query, result }) => {
      const asked = (query as Schema | undefined)?.properties?.next_page;
      return asked !== undefined && (result as Schema).properties?.next_page === undefined;
    });

    expect(silent.map(({ id }) => id)).toEqual([]);
  });
});
