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
