import { useCurrentUser } from "../api/current-user.ts";
import { useOperation } from "../api/use-operation.ts";
import { PushGuide } from "../first-steps/push-guide.tsx";
import { RepositoryTable } from "../namespaces/repository-table.tsx";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { Attention } from "./attention.tsx";

/** How often repositories are fetched again until there is one, in milliseconds. */
const refetchEveryMs = 3000;

/** The home page: repositories and failures; while there is no repository, how to push the first image. */
export function Home() {
  const user = useCurrentUser().data;
  const query = { public: true, last_modified: true, daily_pulls: true, severities: true };
  const repositories = useOperation(
    "GET /repository",
    { query },
    {
      refetchInterval: ({ state }) => (state.data?.repositories.length === 0 ? refetchEveryMs : false),
    },
  );
  return (
    <>
      <h1>{texts.home.title}</h1>
      <Answered query={repositories}>
        {({ repositories: list }) => {
          if (list.length > 0) {
            return (
              <>
                {user && <Attention />}
                <Section title={texts.home.repositories}>
                  <RepositoryTable repositories={list} withNamespace />
                </Section>
              </>
            );
          }
          if (user) {
            return (
              <>
                <PushGuide username={user.username} />
                {user.super_user && <Attention />}
              </>
            );
          }
          return <p className="empty">{texts.home.noneAnonymous}</p>;
        }}
      </Answered>
    </>
  );
}
