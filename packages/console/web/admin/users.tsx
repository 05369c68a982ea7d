import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { namespacePath } from "../places.ts";
import { ChosenQuota } from "../quotas/quota-editor.tsx";
import { QuotaButton, QuotaUsage } from "../quotas/quota-usage.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Command } from "../shared/copy-button.tsx";
import { SearchField, TextField } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { useFilter, useOrder, useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type User = ResultOf<"GET /superuser/users/">["users"][number];

const words = texts.users;

/** All users of the registry. */
export function Users() {
  const [chosen, choose] = useSearchParam("user");
  const order = useOrder(["name"], "name");
  const filter = useFilter();
  const given = { query: { order: order.value, find: filter.find, total: true } };
  const users = usePages("GET /superuser/users/", given);
  const actions: Column<User> = {
    title: words.columns.actions,
    cell: (user) => (
      <>
        {user.quota_report !== undefined && <QuotaButton name={user.username} chosen={chosen} choose={choose} />}
        <UserActions user={user} />
      </>
    ),
  };
  return (
    <>
      <NewUser />
      <SearchField label={texts.namespace.filter} value={filter.value} onValue={filter.set} />
      <Paged query={users}>
        {(pages) => (
          <Table
            columns={[...columns, actions]}
            rows={pages.flatMap((page) => page.users)}
            keyOf={({ username }) => username}
            empty={filter.find && texts.choice.noneLike(filter.find)}
            order={order}
            total={pages[0]?.total}
            choice={{
              mayChoose: (user) => !user.super_user,
              actions: (chosen) => <ChosenActions users={chosen} />,
            }}
            file={{ name: "users", all: () => readAllRows("GET /superuser/users/", given, (page) => page.users) }}
          />
        )}
      </Paged>
      <ChosenQuota namespace={chosen} />
    </>
  );
}

function UserActions({ user: { username, enabled } }: { readonly user: User }) {
  const change = useChange("PUT /superuser/users/{username}", ["GET /superuser/users/"]);
  const removal = useChange("DELETE /superuser/users/{username}", ["GET /superuser/users/"]);
  const params = { username };
  return (
    <>
      <ConfirmedButton
        label={enabled ? words.disable : words.enable}
        consequence={enabled ? words.disabled(username) : words.enabled(username)}
        change={change}
        given={{ params, body: { enabled: !enabled } }}
      />
      <ConfirmedButton
        label={words.remove}
        consequence={words.removed(username)}
        typed={username}
        change={removal}
        given={{ params }}
      />
    </>
  );
}

/** The actions of several users: those who are disabled already, or enabled, are left as they are. */
function ChosenActions({ users }: { readonly users: readonly User[] }) {
  const wanted = { operation: "PUT /superuser/users/{username}", affected: ["GET /superuser/users/"] } as const;
  const [enabled, disabled] = [users.filter((each) => each.enabled), users.filter((each) => !each.enabled)];
  const given = (some: readonly User[]) =>
    some.map(({ username, enabled: now }) => ({ params: { username }, body: { enabled: !now } }));
  return (
    <>
      {enabled.length > 0 && (
        <ChosenButton
          {...wanted}
          label={words.disableChosen}
          consequence={words.disabledChosen(enabled.length)}
          given={given(enabled)}
        />
      )}
      {disabled.length > 0 && (
        <ChosenButton
          {...wanted}
          label={words.enableChosen}
          consequence={words.enabledChosen(disabled.length)}
          given={given(disabled)}
        />
      )}
    </>
  );
}

function stateOf({ enabled, super_user: isSuperuser, global_readonly_super_user: isAuditor }: User): string {
  if (!enabled) return words.states.disabled;
  if (isSuperuser) return words.states.superuser;
  return isAuditor ? words.states.auditor : words.states.user;
}

const columns: readonly Column<User>[] = [
  {
    title: words.columns.name,
    isName: true,
    order: "name",
    text: ({ username }) => username,
    cell: ({ username }) => <Link href={namespacePath(username)}>{username}</Link>,
  },
  { title: words.columns.email, cell: ({ email }) => email || "–" },
  { title: words.columns.state, cell: stateOf },
  {
    title: words.columns.used,
    text: ({ quota_report: report }) => String(report?.quota_bytes ?? ""),
    cell: ({ quota_report: report }) => (report === undefined ? "–" : <QuotaUsage report={report} />),
  },
];

/** Creates an account with a generated password, which is shown once. */
function NewUser() {
  const change = useChange("POST /superuser/users/", ["GET /superuser/users/"]);
  const given = (typed: Typed) => {
    const email = typed("email");
    return { body: { username: typed("username"), email: email || undefined } };
  };
  return (
    <>
      <ChangeForm label={words.create} change={change} given={given}>
        <TextField name="username" label={words.name} required maxLength={255} autoComplete="off" />
        <TextField name="email" type="email" label={words.email} autoComplete="off" />
      </ChangeForm>
      {change.data !== undefined && (
        <div className="notice" role="status">
          <p>{words.created(change.data.username)}</p>
          <Command line={change.data.password} label={texts.credentials.secret} />
        </div>
      )}
    </>
  );
}
