import { Link } from "wouter";
import { currentUserKey, useCurrentUser } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { metadataText } from "../logs/log-calls.ts";
import { namespacePath } from "../places.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Credentials } from "../shared/credentials.tsx";
import { TextField } from "../shared/fields.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { PageButtons, pageNumber } from "../shared/page-buttons.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Tabs } from "../shared/tabs.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { AccountSettings } from "./account-settings.tsx";
import { AssignedAuthorizations, Authorizations } from "./authorizations.tsx";
import { WithoutAccount } from "./without-account.tsx";

const { title, tabs } = texts.account;

/** The account of the visitor. */
export function Account() {
  const user = useCurrentUser();
  return <Answered query={user}>{(found) => (found === null ? <WithoutAccount /> : <Views />)}</Answered>;
}

function Views() {
  const [view] = useSearchParam("view");
  const current = namedOrFirst(tabs, view);
  return (
    <>
      <h1>{title}</h1>
      <Tabs label={title} tabs={tabs} current={current} />
      {current === "organizations" && <Organizations />}
      {current === "tokens" && <AppTokens />}
      {current === "applications" && (
        <>
          <AssignedAuthorizations />
          <Authorizations />
        </>
      )}
      {current === "notices" && <Notices />}
      {current === "settings" && <AccountSettings />}
    </>
  );
}

type Notice = ResultOf<"GET /user/notifications">["notifications"][number];

const words = texts.notices;
const { events } = texts.notifications;
const noticesAtOnce = 50;

/** Notices to the visitor that are not dismissed. */
function Notices() {
  const [pageText, setPage] = useSearchParam("page", "added");
  const page = pageNumber(pageText);
  const notices = useOperation("GET /user/notifications", { query: { page: page - 1, limit: noticesAtOnce } });
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={notices}>
        {({ notifications, additional }) => (
          <>
            <Table columns={columns} rows={notifications} keyOf={({ id }) => id} empty={words.none} />
            <PageButtons page={page} hasMore={additional} onPage={(next) => setPage(String(next))} />
          </>
        )}
      </Answered>
    </Section>
  );
}

function Dismiss({ id }: { readonly id: string }) {
  const change = useChange("PUT /user/notifications/{uuid}", ["GET /user/notifications"]);
  return (
    <ActionButton label={words.dismiss} change={change} given={{ params: { uuid: id }, body: { dismissed: true } }} />
  );
}

const columns: readonly Column<Notice>[] = [
  {
    title: words.columns.what,
    isName: true,
    cell: ({ kind }) => events[kind as keyof typeof events] ?? kind.replaceAll("_", " "),
  },
  { title: words.columns.about, isText: true, cell: metadataText },
  { title: words.columns.when, cell: ({ created }) => <Time at={Date.parse(created)} /> },
  { title: words.columns.actions, cell: ({ id }) => <Dismiss id={id} /> },
];

type AppToken = ResultOf<"GET /user/apptoken">["tokens"][number];

const appTokenWords = texts.appTokens;

/** The visitor's app tokens: passwords for programs, each revoked separately. */
function AppTokens() {
  const tokens = useOperation("GET /user/apptoken", { query: {} });
  return (
    <section aria-labelledby="app-tokens">
      <h2 id="app-tokens">{appTokenWords.title}</h2>
      <p>{appTokenWords.about}</p>
      <NewAppToken />
      <Answered query={tokens}>
        {({ tokens: list }) => (
          <Table columns={appTokenColumns} rows={list} keyOf={({ uuid }) => uuid} empty={appTokenWords.none} />
        )}
      </Answered>
    </section>
  );
}

function Revoke({ token }: { readonly token: AppToken }) {
  const change = useChange("DELETE /user/apptoken/{token_uuid}", ["GET /user/apptoken"]);
  const params = { token_uuid: token.uuid };
  return (
    <ConfirmedButton
      label={appTokenWords.revoke}
      consequence={appTokenWords.revoked(token.title)}
      change={change}
      given={{ params }}
    />
  );
}

const appTokenColumns: readonly Column<AppToken>[] = [
  { title: appTokenWords.columns.title, isName: true, cell: ({ title }) => title },
  { title: appTokenWords.columns.created, cell: ({ created }) => <Time at={Date.parse(created)} /> },
  {
    title: appTokenWords.columns.used,
    cell: ({ last_accessed: used }) => (used === null ? appTokenWords.never : <Time at={Date.parse(used)} />),
  },
  {
    title: appTokenWords.columns.expires,
    cell: ({ expiration }) => (expiration === null ? appTokenWords.never : <Time at={Date.parse(expiration)} />),
  },
  { title: appTokenWords.columns.actions, cell: (token) => <Revoke token={token} /> },
];

/** Creates an app token, and shows how a program signs in with it. */
function NewAppToken() {
  const change = useChange("POST /user/apptoken", ["GET /user/apptoken"]);
  return (
    <>
      <ChangeForm label={appTokenWords.create} change={change} given={(typed) => ({ body: { title: typed("title") } })}>
        <TextField name="title" label={appTokenWords.name} required maxLength={255} />
      </ChangeForm>
      {change.data !== undefined && <Credentials username="$app" secret={change.data.token.token_code} />}
    </>
  );
}

const organizationWords = texts.organizations;

/** The visitor's organizations, and a form that creates one. */
function Organizations() {
  const organizations = useCurrentUser().data?.organizations ?? [];
  return (
    <section aria-labelledby="organizations">
      <h2 id="organizations">{organizationWords.title}</h2>
      <p>{organizationWords.about}</p>
      <NewOrganization />
      {organizations.length === 0 ? (
        <p className="empty">{organizationWords.none}</p>
      ) : (
        <ul className="results">
          {organizations.map(({ name }) => (
            <li key={name}>
              <Link href={namespacePath(name)}>{name}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Creates an organization, which the visitor then administers. */
function NewOrganization() {
  const change = useChange("POST /organization/", [currentUserKey]);
  const given = (typed: Typed) => {
    const email = typed("email");
    return { body: { name: typed("name"), email: email || undefined } };
  };
  return (
    <ChangeForm label={organizationWords.create} change={change} given={given}>
      <TextField name="name" label={organizationWords.name} required maxLength={255} />
      <TextField name="email" type="email" label={organizationWords.email} />
    </ChangeForm>
  );
}
