import { hasUsers } from "@plimsoll/registry/accounts/queries";
import { noMailer } from "@plimsoll/registry/ports";
import type { Features, RegistrySettings } from "@plimsoll/registry/settings";
import { formatTimeDelta } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";
import { openToAll } from "../access/public-access.ts";
import { replyOperation } from "../http/reply-operation.ts";
import { findPageSession } from "./page-session.ts";

/** The names of the optional features in the document for consoles. */
const featureNames: Readonly<Record<keyof Features, string>> = {
  anonymousAccess: "ANONYMOUS_ACCESS",
  appTokens: "APP_SPECIFIC_TOKENS",
  autoPrune: "AUTO_PRUNE",
  builds: "BUILD_SUPPORT",
  logExport: "LOG_EXPORT",
  memberTeamSync: "NONSUPERUSER_TEAM_SYNCING_SETUP",
  mirroring: "REPO_MIRROR",
  oauthAssignments: "ASSIGN_OAUTH_TOKEN",
  proxyCache: "PROXY_CACHE",
  quotas: "QUOTA_MANAGEMENT",
  repositoryNotifications: "REPOSITORY_NOTIFICATIONS",
  requireTeamInvite: "REQUIRE_TEAM_INVITE",
  robots: "ROBOTS",
  securityScanner: "SECURITY_SCANNER",
  superuserFullAccess: "SUPERUSERS_FULL_ACCESS",
  superuserOrganizationCreationOnly: "SUPERUSERS_ORG_CREATION_ONLY",
  superusers: "SUPER_USERS",
  teamSync: "TEAM_SYNCING",
  userCreation: "USER_CREATION",
  userInitialize: "USER_INITIALIZE",
};

/** The facts that a console needs before a user signs in. It has no names of existing accounts. */
export const ConfigDocument = Type.Object({
  config: Type.Object({
    SERVER_HOSTNAME: Type.String(),
    PREFERRED_URL_SCHEME: Type.String(),
    REGISTRY_TITLE: Type.String(),
    REGISTRY_TITLE_SHORT: Type.String(),
    CONTACT_INFO: Type.Array(Type.String()),
    AUTHENTICATION_TYPE: Type.String(),
    BROWSER_API_CALLS_XHR_ONLY: Type.Boolean(),
    DEFAULT_TAG_EXPIRATION: Type.String(),
    TAG_EXPIRATION_OPTIONS: Type.Array(Type.String()),
    FRESH_LOGIN_TIMEOUT: Type.String(),
  }),
  features: Type.Record(Type.String(), Type.Boolean()),
  registry_state: Type.Union([Type.Literal("readonly"), Type.Literal("normal")]),
  signed_in: Type.Boolean({ description: "Whether a user has signed in with the browser that asks" }),
  account_recovery_mode: Type.Boolean(),
  external_login: Type.Array(Type.String()),
  oauth: Type.Object({}),
  first_user: Type.Optional(
    Type.Object(
      { superusers: Type.Array(Type.String({ description: "Names that administer everything" })) },
      { description: "Present while there is no user and any visitor may create the first one" },
    ),
  ),
});
export type ConfigDocument = Static<typeof ConfigDocument>;

/** The operation that answers with the configuration for consoles. */
export const configOperations = [
  replyOperation({
    id: "getConfig",
    method: "GET",
    path: "/config",
    summary: "The registry's settings that a console needs.",
    access: openToAll,
    success: 200,
    result: ConfigDocument,
    async handle(_, { registry, request, reply }) {
      const { settings, mailer, store } = registry;
      reply.headers({
        "access-control-allow-origin": "*",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      const isNew = settings.features.userInitialize && !(await hasUsers(store.db));
      const session = await findPageSession(registry, request);
      const seen = { hasMail: mailer !== noMailer, isSignedIn: session?.principal !== undefined };
      const config = configDocument(settings, seen);
      return isNew ? { ...config, first_user: { superusers: [...settings.superusers] } } : config;
    },
  }),
];

/** The response of `GET /config`. */
function configDocument(
  settings: RegistrySettings,
  { hasMail, isSignedIn }: { readonly hasMail: boolean; readonly isSignedIn: boolean },
): ConfigDocument {
  const features = Object.entries(featureNames).map(
    ([name, known]) => [known, settings.features[name as keyof Features]] as const,
  );
  return {
    config: {
      SERVER_HOSTNAME: settings.host,
      PREFERRED_URL_SCHEME: settings.scheme,
      REGISTRY_TITLE: settings.title,
      REGISTRY_TITLE_SHORT: settings.title,
      CONTACT_INFO: settings.contact === undefined ? [] : [`mailto:${settings.contact}`],
      AUTHENTICATION_TYPE: "Database",
      BROWSER_API_CALLS_XHR_ONLY: settings.browserCallsXhrOnly,
      DEFAULT_TAG_EXPIRATION: formatTimeDelta(settings.defaultTagExpirationSeconds),
      TAG_EXPIRATION_OPTIONS: settings.tagExpirationOptionsSeconds.map(formatTimeDelta),
      FRESH_LOGIN_TIMEOUT: formatTimeDelta(settings.freshLoginSeconds),
    },
    features: {
      ...Object.fromEntries(features),
      CHANGE_TAG_EXPIRATION: true,
      DIRECT_LOGIN: true,
      EDIT_QUOTA: settings.features.quotas,
      MAILING: hasMail,
      QUOTA_NOTIFICATIONS: settings.features.quotas && settings.features.repositoryNotifications,
    },
    registry_state: settings.readOnly ? "readonly" : "normal",
    signed_in: isSignedIn,
    account_recovery_mode: false,
    external_login: [],
    oauth: {},
  };
}
