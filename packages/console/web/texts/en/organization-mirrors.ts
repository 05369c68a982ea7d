/** Organizations that mirror the catalog of another registry. */
export const organizationMirrors = {
  title: "Mirror of another registry",
  about:
    "An organization can follow another registry. Repositories of its catalog that match a rule become mirrors here, including those that are created there later.",
  registry: "Registry to follow",
  registryRule: "Such as registry.example.com, or registry.example.com/team for the repositories below that path.",
  repositories: "Repositories to mirror",
  repositoriesRule: "Names with * and ?, separated by commas. A name that begins with ! excludes its matches.",
  visibility: "New repositories are",
  visibilities: { private: "private", public: "public" },
  create: "Follow registry",
  save: "Save mirror",
  settings: "Settings of the mirror",
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
  became: { mirrored: "Mirrored", gone: "Removed there, kept here", refused: "Not mirrored" },
  remove: "Stop following",
  removed: "The catalog will not be read any more. The repositories stay mirrors.",
} as const;
