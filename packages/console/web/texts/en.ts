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
import { proxyCaches } from "./en/proxy-caches.ts";
import { pruning } from "./en/pruning.ts";
import { pullGate } from "./en/pull-gate.ts";
import { quotas } from "./en/quotas.ts";
import { report } from "./en/report.ts";
import { history, repository, repositorySettings, tagLifetime } from "./en/repository.ts";
import { severities } from "./en/severities.ts";
import { vulnerability } from "./en/vulnerability.ts";

/** Every sentence of the console, by the page that shows it; those of some pages have files of their own in `en/`. Another language is another file of this shape. */
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
    leave: "What you typed was not sent, and is lost on another page. Leave this page?",
    unknownTitle: "There is no such page",
    unknown: "The address leads nowhere. It may have been typed wrongly, or the page may have been removed.",
    toHome: "Go to the home page",
  },
  failure: {
    notFound: "This does not exist, or you may not see it.",
    signInFirst: "Sign in to see it, if you may.",
    sessionEnded: "Your session has ended. What you typed stays here: sign in in another tab, then send it again.",
    offline: "The registry cannot be reached. The page tries again by itself.",
    request: (id: string) => `Request ${id}`,
    retry: "Try again",
  },
  password: {
    title: "Enter your password",
    why: "The registry wants it once more before this change.",
    field: "Password",
    confirm: "Continue",
    cancel: "Cancel",
    cancelled: "The change was not made: the password was not given.",
    ended: "Your session has ended",
    stillHere: (username: string) =>
      `Sign in again as ${username}, and the change is made. What you typed is still here.`,
    otherTab: "Sign in without a password, in another tab; then continue here",
    otherUser: (username: string) =>
      `This browser is signed in as ${username} now: the change was not made. Reload the page to go on as ${username}.`,
  },
  confirm: {
    type: (name: string) => `Type ${name} to confirm`,
    cancel: "Cancel",
  },
  firstSteps: {
    title: (registry: string) => `Welcome to ${registry}`,
    why: "This registry has no account yet. Make the first one.",
    superuser: (names: string) => `The account ${names} administers everything, as the setting “superusers” says.`,
    noSuperuser:
      "The setting “superusers” names no account, so this one will administer only what it owns. Name it there to let it administer everything.",
    username: "User name",
    email: "E-mail address (optional)",
    password: "Password",
    passwordRule: "At least 8 characters.",
    create: "Create the first account",
  },
  push: {
    title: "Push your first image",
    signIn: "Sign a client in",
    tag: "Name an image for this registry, and push it",
    waiting: "This page waits for the image and shows it when it is there.",
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
    none: "There is no repository here that you may see.",
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
  findings,
  explorer: {
    title: "API",
    tabs: { registry: "Registry", scanner: "Scanner" },
    about: {
      registry: "Operations are tried with your session, as far as you may.",
      scanner:
        "Operations are tried with a token that the key of the scanner signs: give it by “Authorize”. A scanner beside a registry answers no request without one.",
    },
  },
  account: {
    title: "Your account",
    tabs: { organizations: "Organizations", tokens: "Tokens", notices: "Told to you", settings: "Settings" },
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
    created: (name: string) => `The account ${name} was made. This is its password: it is shown this once.`,
    columns: { name: "Name", email: "E-mail address", state: "State", used: "Used", actions: "Actions" },
    states: { disabled: "Disabled", superuser: "Superuser", auditor: "Read-only superuser", user: "User" },
    disable: "Disable user",
    disabled: (name: string) => `${name} will not be able to sign in, nor will programs with passwords of ${name}.`,
    enable: "Enable user",
    enabled: (name: string) => `${name} will be able to sign in again.`,
    remove: "Delete user",
    removed: (name: string) =>
      `${name} will be gone with all repositories and robots of ${name}. This cannot be undone.`,
  },
  jobs: {
    states: { waiting: "Waiting", running: "Running", dead: "Failed for good" },
    none: "There is no such job.",
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
    about: "An organization has repositories that belong to no single person, and teams that may use them.",
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
    roles: { member: "Member", creator: "Creator: may make repositories", admin: "Admin: may do everything" },
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
      `The team ${team} and what it may do will be gone. Its members stay accounts of the registry.`,
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
      "A password for one program on one machine. It may do what you may push and pull, and is ended without ending the others.",
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
      `The user name is ${username}, and this is the password. Keep it now: it is shown this once.`,
    docker: "Sign docker in",
    podman: "Sign podman in",
    kubernetes: "Make a pull secret for Kubernetes",
  },
  robots: {
    title: "Robots",
    about: "Accounts of programs. A robot may do only what it is granted.",
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
    removed: (name: string) => `${name} and all that it was granted will be gone. This cannot be undone.`,
  },
  search: {
    title: "Search",
    none: (text: string) => `Nothing that you may see has “${text}” in its name.`,
    prompt: "Type a part of a name.",
    kinds: { organization: "Organization", user: "User", repository: "Repository", team: "Team", robot: "Robot" },
  },
} as const;
