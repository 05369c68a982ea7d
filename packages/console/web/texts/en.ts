import { accountSettings, forgottenPassword, newAccount, notices, organizationSettings } from "./en/account.ts";
import { administration } from "./en/admin.ts";
import { applications } from "./en/applications.ts";
import { artifacts } from "./en/artifacts.ts";
import { authorizations } from "./en/authorizations.ts";
import { buildTriggers } from "./en/build-triggers.ts";
import { builds } from "./en/builds.ts";
import { comparison } from "./en/comparison.ts";
import { conflict } from "./en/conflict.ts";
import { downloads } from "./en/downloads.ts";
import { findings } from "./en/findings.ts";
import { fleet } from "./en/fleet.ts";
import { attention, home } from "./en/home.ts";
import { ignoreRules } from "./en/ignore-rules.ts";
import { image } from "./en/image.ts";
import { immutability } from "./en/immutability.ts";
import { logs } from "./en/logs.ts";
import { mirrors } from "./en/mirrors.ts";
import { notifications } from "./en/notifications.ts";
import { organizationMirrors } from "./en/organization-mirrors.ts";
import { palette } from "./en/palette.ts";
import { permissions } from "./en/permissions.ts";
import { policies } from "./en/policies.ts";
import { proxyCaches } from "./en/proxy-caches.ts";
import { pruning } from "./en/pruning.ts";
import { pullGate } from "./en/pull-gate.ts";
import { quotas } from "./en/quotas.ts";
import { report } from "./en/report.ts";
import { history, repository, repositorySettings, tagLifetime } from "./en/repository.ts";
import { severities } from "./en/severities.ts";
import { vulnerability } from "./en/vulnerability.ts";

/** The English texts of the console, grouped by page. Large pages have their own file in `en/`. A translation is another file of the same shape. */
export const en = {
  accountSettings,
  administration,
  applications,
  attention,
  authorizations,
  builds,
  buildTriggers,
  history,
  home,
  image,
  immutability,
  logs,
  mirrors,
  notices,
  notifications,
  organizationMirrors,
  organizationSettings,
  permissions,
  proxyCaches,
  pruning,
  report,
  repository,
  repositorySettings,
  severities,
  ignoreRules,
  downloads,
  comparison,
  conflict,
  fleet,
  forgottenPassword,
  newAccount,
  tagLifetime,
  palette,
  pullGate,
  quotas,
  vulnerability,
  shell: {
    skip: "Skip to the content",
    home: "Home",
    search: "Search repositories and namespaces",
    places: "Places",
    explorer: "API",
    signIn: "Sign in",
    createAccount: "Create an account",
    account: "Your account",
    signOut: "Sign out",
    theme: { light: "Light", dark: "Dark", system: "As the system" },
    themeLabel: "Theme",
    readOnly: "The registry is read-only: nothing can be changed at the moment.",
    breadcrumbs: "Breadcrumbs",
    leave: "Your input has not been sent. It is lost if you leave this page. Leave?",
    unknownTitle: "Page not found",
    unknown: "No page has this address. It may be mistyped, or the page may have been removed.",
    toHome: "Go to the home page",
  },
  failure: {
    notFound: "This does not exist, or you may not see it.",
    signInFirst: "Sign in: your account may have access.",
    sessionEnded: "Your session has ended. Sign in in another tab, then try again.",
    sessionEndedMeanwhile:
      "Your session has ended. What you typed stays here: sign in in another tab, then send it again.",
    offline: "The registry cannot be reached. Check your connection, and try again.",
    notShown: "This page cannot be shown. The registry may have been updated: reload the page.",
    partMissing:
      "A part of the console cannot be loaded. Try again. If the registry was updated, reload the page in the browser.",
    request: (id: string) => `Request ${id}`,
    retry: "Try again",
  },
  password: {
    title: "Enter your password",
    why: "The registry requires your password again before this change.",
    field: "Password",
    confirm: "Continue",
    cancel: "Cancel",
    cancelled: "The change was not made: no password was entered.",
    ended: "Your session has ended",
    stillHere: (username: string) => `Sign in again as ${username} to make the change. Your input is still here.`,
    otherTab: "Sign in without a password, in another tab; then continue here",
    otherUser: (username: string) =>
      `This browser is signed in as ${username} now: the change was not made. Reload the page to continue as ${username}.`,
  },
  confirm: {
    type: (name: string) => `Type ${name} to confirm`,
    cancel: "Cancel",
  },
  firstSteps: {
    title: (registry: string) => `Welcome to ${registry}`,
    why: "This registry has no account yet. Create the first one.",
    superuser: (names: string) => `The setting “superusers” names ${names}: that account administers everything.`,
    noSuperuser: "This account will administer everything, as long as the setting “superusers” names no other.",
    username: "User name",
    email: "E-mail address (optional)",
    password: "Password",
    passwordRule: "At least 8 characters.",
    create: "Create the first account",
  },
  push: {
    title: "Push your first image",
    signIn: "Sign in with a client",
    tag: "Name an image for this registry, and push it",
    waiting: "This page shows the image as soon as it arrives.",
    copy: "Copy",
    copied: "Copied",
  },
  namespace: {
    tabs: {
      repositories: "Repositories",
      security: "Vulnerabilities",
      teams: "Teams",
      members: "Members",
      robots: "Robots",
      permissions: "Default permissions",
      applications: "Applications",
      policies: "Policies",
      logs: "Usage log",
      settings: "Settings",
    },
    none: "There is no repository here that you can see.",
    filter: "Filter by name",
    columns: {
      name: "Name",
      newest: "Vulnerabilities of the newest tag",
      state: "State",
      size: "Size",
      changed: "Changed",
      pulls: "Pulls, 30 days",
    },
    pulls: (total: string, most: string) => `${total} in the 30 days before today, at most ${most} on a day`,
    noPulls: "none",
    public: "Public",
    private: "Private",
    more: "Show more",
  },
  artifacts,
  policies,
  findings,
  explorer: {
    title: "API",
    tabs: { registry: "Registry", scanner: "Scanner" },
    about: {
      registry: "Operations run in your session, with your permissions.",
      scanner:
        "Operations need a token that is signed with the scanner's key. Enter it under “Authorize”. The scanner of a registry rejects requests without a token.",
    },
  },
  account: {
    title: "Your account",
    tabs: {
      organizations: "Organizations",
      tokens: "App tokens",
      applications: "Applications",
      notices: "Notices",
      settings: "Settings",
    },
    signInFirst: "Sign in to see your account.",
  },
  admin: {
    title: "Administration",
    tabs: {
      users: "Users",
      organizations: "Organizations",
      messages: "Messages",
      keys: "Service keys",
      jobs: "Jobs",
      feeds: "Feeds",
      storage: "Storage",
      garbage: "Garbage collection",
      logs: "Usage log",
      settings: "Settings",
    },
  },
  users: {
    name: "Name of the new user",
    email: "E-mail address (optional)",
    create: "Create user",
    created: (name: string) => `The account ${name} was created. This is its password. It is shown only once.`,
    columns: { name: "Name", email: "E-mail address", state: "State", used: "Used", actions: "Actions" },
    states: { disabled: "Disabled", superuser: "Superuser", auditor: "Read-only superuser", user: "User" },
    disable: "Disable user",
    disabled: (name: string) =>
      `${name} will not be able to sign in. Neither will programs that use passwords of ${name}.`,
    enable: "Enable user",
    enabled: (name: string) => `${name} will be able to sign in again.`,
    remove: "Delete user",
    removed: (name: string) => `${name} will be deleted with all its repositories and robots. This cannot be undone.`,
  },
  jobs: {
    states: { waiting: "Waiting", running: "Running", dead: "Failed permanently" },
    none: "No job matches.",
    columns: {
      kind: "Kind",
      state: "State",
      attempts: "Attempts",
      due: "Due",
      error: "Last error",
      actions: "Actions",
    },
    cancel: "Cancel job",
    retry: "Try again",
    remove: "Delete job",
  },
  messages: {
    content: "New message to all users",
    severity: "Severity",
    severities: { info: "Information", warning: "Warning", error: "Error" },
    create: "Show message",
    none: "No message is shown.",
    columns: { content: "Message", severity: "Severity", actions: "Actions" },
    remove: "Delete message",
    removed: "It will no longer be shown.",
  },
  organizations: {
    title: "Organizations",
    about: "An organization owns repositories that several people use, and teams that grant access to them.",
    name: "Name of the new organization",
    email: "E-mail address (optional)",
    create: "Create organization",
    none: "You are in no organization.",
  },
  teams: {
    title: "Teams",
    about: "A team has a role in the organization, and roles on repositories.",
    name: "Name of the new team",
    role: "Role",
    roles: { member: "Member", creator: "Creator: can create repositories", admin: "Admin: can do everything" },
    create: "Create team",
    columns: {
      name: "Team",
      role: "Role",
      members: "Members",
      repositories: "Repositories",
      actions: "Actions",
    },
    remove: "Delete team",
    removed: (team: string) =>
      `The team ${team} and its permissions will be deleted. The accounts of its members remain.`,
  },
  teamMembers: {
    title: (team: string) => `Members of ${team}`,
    name: "User or robot",
    add: "Add member",
    none: "The team has no member.",
    columns: { name: "Name", state: "State", actions: "Actions" },
    invited: "Invited",
    member: "Member",
    remove: "Remove member",
    removed: (name: string, team: string) => `${name} will no longer be in ${team}.`,
  },
  appTokens: {
    title: "App tokens",
    about:
      "A password for one program on one machine. It can push and pull whatever you can. Revoking one leaves the others valid.",
    name: "Name of the new token",
    create: "Create app token",
    none: "You have no app token.",
    columns: { title: "Name", created: "Created", used: "Last used", expires: "Expires", actions: "Actions" },
    never: "never",
    revoke: "Revoke token",
    revoked: (title: string) => `Programs that sign in with ${title} will be refused from now on.`,
  },
  credentials: {
    about: (username: string) =>
      `The user name is ${username}, and this is the password. Save it now: it is shown only once.`,
    docker: "Sign in with docker",
    podman: "Sign in with podman",
    kubernetes: "Create a pull secret for Kubernetes",
  },
  robots: {
    title: "Robots",
    about: "Accounts for programs. A robot has only the permissions that it is granted.",
    name: "Name of the new robot",
    nameRule: "Lower-case letters, digits, _ and -.",
    description: "What it is for",
    create: "Create robot",
    none: "There is no robot yet.",
    columns: { name: "Name", description: "Description", created: "Created", used: "Last used", actions: "Actions" },
    never: "never",
    renew: "Renew token",
    renewed: (name: string) =>
      `${name} gets a new token. Programs that sign in with the old one will be refused from now on.`,
    remove: "Delete robot",
    removed: (name: string) => `${name} and its permissions will be deleted. This cannot be undone.`,
  },
  search: {
    title: "Search",
    none: (text: string) => `Nothing that you can see has “${text}” in its name.`,
    prompt: "Type a part of a name.",
    kinds: { organization: "Organization", user: "User", repository: "Repository", team: "Team", robot: "Robot" },
  },
} as const;
