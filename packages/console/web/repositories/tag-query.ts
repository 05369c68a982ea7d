/** Asks for the first page of the tags of a repository, which the list of tags and the command that pulls share. */
export const firstTags = { onlyActiveTags: true, limit: 50, severities: true, page: 1 } as const;
