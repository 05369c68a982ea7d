/** What the operations of pull gates share. */
export const resource = { tag: "secscan", isOwn: true } as const;

/** The paths of the gates of an organization and of a repository. */
export const [ofOrganization, ofRepository] = [
  "/organization/{orgname}/pullgate",
  "/repository/{repository}/pullgate",
] as const;

/** The kind of entries in the usage log. */
export const audit = ["change_pull_gate"] as const;
