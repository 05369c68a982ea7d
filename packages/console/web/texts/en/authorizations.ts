/** What applications may do for the visitor. */
export const authorizations = {
  title: "Applications that act for you",
  about: "You let each of them in when you signed in to it, or generated a token for it.",
  none: "No application acts for you.",
  columns: { application: "Application", organization: "Of", scopes: "May", actions: "Actions" },
  end: "End access",
  ended: (name: string) => `${name} will no longer be able to act for you with this token.`,
  asked: {
    title: "Applications that you are asked to let in",
    about: "An administrator asks you to generate a token for them.",
    review: "Review the token",
    decline: "Decline",
    declined: (name: string) => `${name} gets no token of you.`,
  },
} as const;
