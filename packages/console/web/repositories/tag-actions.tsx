import { useChange } from "../api/use-change.ts";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";

const words = texts.repository;

/** The actions of a tag. */
export function TagActions({ namespace, repository, tag }: RepositoryName & { readonly tag: string }) {
  const change = useChange("DELETE /repository/{repository}/tag/{tag}", [
    "GET /repository/{repository}/tag/",
    "GET /repository/{repository}",
    "GET /repository/{repository}/manifest/{manifestref}",
  ]);
  const params = { repository: `${namespace}/${repository}`, tag };
  return (
    <ConfirmedButton label={words.deleteTag} consequence={words.deletedTag(tag)} change={change} given={{ params }} />
  );
}
