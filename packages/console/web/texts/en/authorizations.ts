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
