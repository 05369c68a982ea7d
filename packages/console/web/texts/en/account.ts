/** What the visitor is told inside the registry, and the visitor's account itself. */
export const notices = {
  title: "Told to you",
  about: "What notifications and administrators tell you inside the registry.",
  none: "There is nothing that you have not dismissed.",
  columns: { what: "What", about: "About", when: "When", actions: "Actions" },
  dismiss: "Dismiss",
} as const;

/** The visitor's account. */
export const accountSettings = {
  email: "E-mail address",
  emailAbout: "Where the registry writes to you: codes, links, and what notifications tell.",
  saveEmail: "Save e-mail address",
  password: "Password",
  passwordAbout: "Programs that sign in with your password have to be told the new one; app tokens stay as they are.",
  newPassword: "New password",
  newPasswordRule: "At least 8 characters.",
  savePassword: "Change password",
  saved: "Saved.",
  end: "Delete the account",
  endAbout: "Your repositories, robots and tokens go with it. This cannot be undone.",
  remove: "Delete account",
} as const;

/** People of an organization, and the organization itself. */
export const organizationSettings = {
  members: {
    title: "Members",
    about: "Who is in a team of the organization.",
    none: "No team has a member. Add some on the page of teams.",
    columns: { name: "Name", teams: "Teams", repositories: "Repositories", actions: "Actions" },
    remove: "Remove from organization",
    removed: (name: string) => `${name} leaves all teams and loses all roles on repositories of the organization.`,
  },
  collaborators: {
    title: "Collaborators",
    about: "Who is in no team, but has a role on a repository.",
    none: "No repository is shared with an account outside the teams.",
  },
  email: "E-mail address (optional)",
  emailAbout: "Where the registry writes to the organization.",
  save: "Save e-mail address",
  end: "Delete the organization",
  endAbout: "All its repositories, teams, robots and applications go with it. This cannot be undone.",
  remove: "Delete organization",
} as const;

/** The first form of those who have no account yet. */
export const newAccount = {
  title: "Create an account",
  username: "User name",
  email: "E-mail address",
  password: "Password",
  passwordRule: "At least 8 characters.",
  create: "Create account",
  confirm: "The account was made. A link was sent to its e-mail address: follow it, then sign in.",
} as const;

/** What those do who have forgotten their password. */
export const forgottenPassword = {
  title: "Forgotten password",
  about: "A link by which you choose another password is sent to the e-mail address of your account.",
  email: "E-mail address of the account",
  send: "Send link",
  sent: "If an account has that address, the link is on its way.",
} as const;
