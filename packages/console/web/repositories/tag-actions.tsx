import { getRepoManifest } from "../api/generated/manifest.ts";
import { getRepo } from "../api/generated/repository.ts";
import { deleteFullTag, listRepoTags } from "../api/generated/tag.ts";
import { useChange } from "../api/use-change.ts";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";

const words = texts.repository;

/** The actions of a tag. */
export function TagActions({ namespace, repository, tag }: RepositoryName & { readonly tag: string }) {
  const change = useChange(deleteFullTag, [listRepoTags, getRepo, getRepoManifest]);
  const params = { repository: `${namespace}/${repository}`, tag };
  return (
    <ConfirmedButton label={words.deleteTag} consequence={words.deletedTag(tag)} change={change} given={{ params }} />
  );
}
