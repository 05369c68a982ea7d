/** Notices that the visitor receives inside the registry. */
export const notices = {
  title: "Notices",
  about: "Notifications of repositories and of the registry that are addressed to you.",
  none: "You have no notices.",
  columns: { what: "What", about: "About", when: "When", actions: "Actions" },
  dismiss: "Dismiss",
} as const;

/** Settings of the visitor's account. */
export const accountSettings = {
  email: "E-mail address",
  emailAbout: "The registry sends codes, links and notifications to this address.",
  saveEmail: "Save e-mail address",
  password: "Password",
  passwordAbout: "Programs that sign in with your password need the new one. App tokens stay valid.",
  newPassword: "New password",
  newPasswordRule: "At least 8 characters.",
  savePassword: "Change password",
  saved: "Saved.",
  end: "Delete the account",
  endAbout: "Your repositories, robots and tokens are deleted with it. This cannot be undone.",
  remove: "Delete account",
} as const;

/** Members and settings of an organization. */
export const organizationSettings = {
  members: {
    title: "Members",
    about: "Accounts in teams of the organization.",
    none: "No team has a member. Add some on the page of teams.",
    columns: { name: "Name", teams: "Teams", repositories: "Repositories", actions: "Actions" },
    remove: "Remove from organization",
    removed: (name: string) => `${name} leaves all teams and loses all roles on repositories of the organization.`,
    removeChosen: "Remove chosen from organization",
    removedChosen: (count: number) =>
      `Accounts that leave all teams and lose all roles on repositories of the organization: ${count}.`,
  },
  collaborators: {
    title: "Collaborators",
    about: "Accounts in no team that have a role on a repository.",
    none: "No repository is shared with an account outside the teams.",
  },
  email: "E-mail address (optional)",
  emailAbout: "The registry sends mail for the organization to this address.",
  save: "Save e-mail address",
  end: "Delete the organization",
  endAbout: "All its repositories, teams, robots and applications are deleted with it. This cannot be undone.",
  remove: "Delete organization",
} as const;

/** The form that creates an account. */
export const newAccount = {
  title: "Create an account",
  username: "User name",
  email: "E-mail address",
  password: "Password",
  passwordRule: "At least 8 characters.",
  create: "Create account",
  confirm: "The account was created. A link was sent to its e-mail address: follow it, then sign in.",
} as const;

/** The form that requests a link for a new password. */
export const forgottenPassword = {
  title: "Forgotten password",
  about: "The registry sends a link for choosing a new password to the e-mail address of your account.",
  email: "E-mail address of the account",
  send: "Send link",
  sent: "If an account has that address, the link is on its way.",
} as const;

/** Applications that act for the visitor. */
export const authorizations = {
  title: "Applications that act for you",
  about: "You authorized each of them when you signed in to it or generated a token for it.",
  none: "No application acts for you.",
  columns: { application: "Application", organization: "Organization", scopes: "May", actions: "Actions" },
  end: "End access",
  ended: (name: string) => `${name} will no longer be able to act for you with this token.`,
  assigned: {
    title: "Applications that need your authorization",
    about: "An administrator asks you to generate a token for them.",
    review: "Review the token",
    decline: "Decline",
    declined: (name: string) => `${name} gets no token from you.`,
  },
} as const;

/** OAuth applications of an organization, and the tokens that are generated for them. */
export const applications = {
  title: "Applications",
  about:
    "An application holds access tokens for the API. If it has a redirect address, users can also authorize it in their browser.",
  none: "The organization has no application. Create one above, then generate a token for it.",
  columns: { name: "Name", client: "Client id", home: "Homepage", actions: "Actions" },
  name: "Name of the application",
  home: "Homepage (optional)",
  description: "Description (optional)",
  redirect: "Redirect addresses begin with (optional)",
  avatar: "E-mail address of its picture (optional)",
  create: "Create application",
  save: "Save application",
  saved: "The application was saved.",
  remove: "Delete application",
  removed: (name: string) => `${name} will be deleted, and all its tokens will be refused from now on.`,
  details: (name: string) => `Details of ${name}`,
  client: "Client id",
  secret: "Client secret",
  showSecret: "Show the client secret",
  resetSecret: "Create a new secret",
  secretReset: (name: string) => `${name} gets a new secret. The old one will be refused from now on.`,
  tokens: {
    title: (name: string) => `Tokens of ${name}`,
    none: "The application has no token. Generate one above.",
    columns: {
      name: "Name",
      scopes: "May",
      by: "Acts for",
      created: "Created",
      expires: "Expires",
      used: "Last used",
      actions: "Actions",
    },
    never: "never",
    noName: "from a sign-in",
    revoke: "Revoke token",
    revoked: "Programs that use it will be refused from now on.",
  },
  generate: {
    title: "Generate token",
    about: "Select what the token may be used for. It never has more permissions than you.",
    scopes: "What it may be used for",
    name: "Name of the token",
    review: "Generate access token",
    tickOne: "Select at least one scope.",
    reviewTitle: "Review the token",
    reviewed: (name: string, application: string, user: string) =>
      `The token “${name}” lets the holder of ${application} act as ${user}. It may be used to:`,
    dangerous: "This can change accounts, organizations or the registry. Keep the token as safe as your password.",
    authorize: "Authorize",
    back: "Back",
    shown: "This is the token. Save it now: it is shown only once.",
    use: "Call the API with it",
  },
  scopes: {
    "org:admin": {
      title: "Administer Organization",
      description: "Administer organizations: their robots, teams, members and settings",
    },
    "repo:admin": {
      title: "Administer Repositories",
      description: "Administer every repository that the granting user may administer",
    },
    "repo:create": {
      title: "Create Repositories",
      description: "Create repositories in namespaces where the granting user may",
    },
    "repo:read": {
      title: "View all visible repositories",
      description: "See and pull every repository that the granting user sees",
    },
    "repo:write": {
      title: "Read/Write to any accessible repositories",
      description: "Push to and pull from repositories that the granting user may write",
    },
    "super:user": {
      title: "Super User Access",
      description: "Administer the registry: its users, its organizations and itself",
    },
    "user:admin": {
      title: "Administer User",
      description: "Administer the granting user's account, its robots and their permissions",
    },
    "user:read": {
      title: "Read User Information",
      description: "Read the granting user's name and e-mail address",
    },
  },
} as const;
