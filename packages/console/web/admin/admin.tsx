import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { UsageLog } from "../logs/usage-log.tsx";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Tabs } from "../shared/tabs.tsx";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { UnknownPage } from "../shell/unknown-page.tsx";
import { texts } from "../texts/texts.ts";
import { Feeds } from "./feeds.tsx";
import { Garbage } from "./garbage.tsx";
import { Jobs } from "./jobs.tsx";
import { AllOrganizations } from "./organizations.tsx";
import { ServiceKeys } from "./service-keys.tsx";
import { Settings } from "./settings.tsx";
import { Users } from "./users.tsx";

const { title, tabs } = texts.admin;

/** The pages of superusers. Others see that the page does not exist. */
export function Admin() {
  const user = useCurrentUser();
  return (
    <Answered query={user}>
      {(found) => (found?.super_user || found?.global_readonly_super_user ? <Views /> : <UnknownPage />)}
    </Answered>
  );
}

function Views() {
  const [view] = useSearchParam("view");
  const current = namedOrFirst(tabs, view);
  return (
    <>
      <h1>{title}</h1>
      <Tabs label={title} tabs={tabs} current={current} />
      {current === "users" && <Users />}
      {current === "organizations" && <AllOrganizations />}
      {current === "messages" && <Messages />}
      {current === "keys" && <ServiceKeys />}
      {current === "jobs" && <Jobs />}
      {current === "feeds" && <Feeds />}
      {current === "storage" && <Storage />}
      {current === "garbage" && <Garbage />}
      {current === "logs" && <UsageLog owner={{ kind: "registry" }} />}
      {current === "settings" && <Settings />}
    </>
  );
}

const words = texts.administration.storage;

/** How often a running count is fetched again, in milliseconds. */
const refetchEveryMs = 1000;

/** How many bytes the registry stores. */
function Storage() {
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

type Message = ResultOf<"GET /messages">["messages"][number];

const messageWords = texts.messages;

/** The global messages, which all users see. */
function Messages() {
  const messages = useOperation("GET /messages", { query: {} });
  return (
    <>
      <NewMessage />
      <Answered query={messages}>
        {({ messages: list }) => (
          <Table columns={columns} rows={list} keyOf={({ uuid }) => uuid} empty={messageWords.none} />
        )}
      </Answered>
    </>
  );
}

function NewMessage() {
  const change = useChange("POST /messages", ["GET /messages"]);
  const given = (typed: Typed) => {
    const severity = chosenOf(messageWords.severities, typed("severity"));
    return { body: { message: { content: typed("content"), severity, media_type: "text/plain" } } } as const;
  };
  return (
    <ChangeForm label={messageWords.create} change={change} given={given}>
      <TextField name="content" label={messageWords.content} required />
      <SelectField name="severity" label={messageWords.severity} options={messageWords.severities} />
    </ChangeForm>
  );
}

function DeleteMessage({ uuid }: { readonly uuid: string }) {
  const change = useChange("DELETE /message/{uuid}", ["GET /messages"]);
  return (
    <ConfirmedButton
      label={messageWords.remove}
      consequence={messageWords.removed}
      change={change}
      given={{ params: { uuid } }}
    />
  );
}

const columns: readonly Column<Message>[] = [
  { title: messageWords.columns.content, isName: true, isText: true, cell: ({ content }) => content },
  { title: messageWords.columns.severity, cell: ({ severity }) => messageWords.severities[severity] },
  { title: messageWords.columns.actions, cell: ({ uuid }) => <DeleteMessage uuid={uuid} /> },
];
