import { getRepo } from "../api/generated/repository.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/command.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";
import { TagList } from "./tag-list.tsx";

interface Props {
  readonly namespace: string;
  readonly repository: string;
}

/** A repository: its tags, and what it is for. */
export function Repository({ namespace, repository }: Props) {
  const name = `${namespace}/${repository}`;
  const [view] = useSearchParam("view");
  const found = useOperation(getRepo, { params: { repository: name }, query: { includeTags: false } });
  const current = view === "information" ? "information" : "tags";
  return (
    <>
      <h1>{repository}</h1>
      <Answered query={found}>
        {({ description }) => (
          <>
            <Command line={`docker pull ${window.location.host}/${name}`} />
            <Tabs label={name} tabs={texts.repository.tabs} current={current} />
            {current === "tags" ? (
              <TagList namespace={namespace} repository={repository} />
            ) : (
              <p className="description">{description || texts.repository.noDescription}</p>
            )}
          </>
        )}
      </Answered>
    </>
  );
}
