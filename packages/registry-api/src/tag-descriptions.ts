/** The groups of operations, and their descriptions for explorers. */
export const tagDescriptions = {
  appspecifictokens: "App tokens: passwords of users for one program each",
  build: "Builds of images from archives and git repositories",
  discovery: "The description of this API",
  error: "The meaning of error codes",
  globalmessages: "Messages that all users see",
  logs: "The usage log: actions of accounts",
  manifest: "Image manifests and their labels",
  mirror: "Repositories that are synchronized with external ones",
  namespacenotification: "Notifications of events in namespaces: of their quotas",
  namespacequota: "Quotas: the bytes that users and organizations may use",
  organization: "Organizations, their members, and their OAuth applications",
  permission: "Permissions of users, robots and teams on repositories",
  policy: "Prune and immutability policies, and pull gates",
  prototype: "Default permissions on new repositories of an organization",
  repoemail: "E-mail addresses for notifications of repositories",
  repository: "Repositories",
  repositorynotification: "Notifications of events in repositories",
  repotoken: "Passwords for one repository each",
  robot: "Robot accounts",
  search: "Finding users, organizations, teams and repositories by name",
  secscan: "Vulnerabilities of images",
  superuser: "The registry as a whole",
  tag: "Tags and their history",
  team: "Teams of organizations, their members and invitations",
  user: "The caller's account, and signing in and out",
} as const satisfies Readonly<Record<string, string>>;

/** The name of a group of operations. */
export type OperationTag = keyof typeof tagDescriptions;
