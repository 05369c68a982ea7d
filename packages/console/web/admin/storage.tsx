import { Link } from "wouter";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

const words = texts.administration.storage;

/** How often a running count is fetched again, in milliseconds. */
const refetchEveryMs = 1000;

/** How many bytes the registry stores. */
export function Storage() {
  const size = useOperation(
    "GET /superuser/registrysize/",
    {},
    { refetchInterval: ({ state: { data } }) => (data?.queued || data?.running ? refetchEveryMs : false) },
  );
  const count = useChange("POST /superuser/registrysize/", ["GET /superuser/registrysize/"]);
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={size}>
        {({ size_bytes: bytes, last_ran: at, queued, running }) => (
          <>
            <dl className="facts">
              <dt>{words.size}</dt>
              <dd>{at === null ? "–" : formatSize(bytes)}</dd>
              <dt>{words.counted}</dt>
              <dd>{at === null ? words.never : <Time at={at} />}</dd>
            </dl>
            {queued || running ? (
              <p role="status">{words.running}</p>
            ) : (
              <ActionButton label={words.count} change={count} given={{ body: {} }} />
            )}
          </>
        )}
      </Answered>
      <p>
        <Link href="/admin?view=jobs">{words.jobs}</Link>
      </p>
    </Section>
  );
}
