/** An organization that follows the catalog of another registry. */
export const organizationMirrors = {
  title: "Mirror of another registry",
  about:
    "An organization can follow another registry: repositories of its catalog that a rule names become mirrors here, also those that are made there later.",
  registry: "Registry to follow",
  registryRule: "Such as registry.example.com, or registry.example.com/team for what is below that path.",
  repositories: "Repositories to mirror",
  repositoriesRule: "Names with * and ?, separated by commas. What one that begins with ! matches is left out.",
  visibility: "New repositories are",
  visibilities: { private: "private", public: "public" },
  create: "Follow registry",
  save: "Save what is followed",
  settings: "Settings of what is followed",
  discover: "Read the catalog now",
  last: "Catalog read",
  states: {
    NEVER_RUN: "The catalog was never read",
    SUCCESS: "The catalog was read",
    FAIL: "The catalog could not be read",
  },
  found: "Repositories of the catalog",
  none: "Nothing of the catalog was found yet.",
  columns: { name: "There", repository: "Here", state: "State", changed: "Since" },
  became: { mirrored: "Mirrored", gone: "Not there any more, and kept here", refused: "Not mirrored" },
  remove: "Stop following",
  removed: "The catalog will not be read any more. The repositories stay mirrors.",
} as const;
