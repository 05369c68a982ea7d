import { Link } from "wouter";
import { currentUserKey } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { namespacePath } from "../places.ts";
import { ChosenQuota } from "../quotas/quota-editor.tsx";
import { QuotaButton, QuotaUsage } from "../quotas/quota-usage.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { SearchField } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { useFilter, useOrder, useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Organization = ResultOf<"GET /superuser/organizations/">["organizations"][number];

const words = texts.administration.organizations;

/** All organizations of the registry, and the quota of the one in the address. */
export function AllOrganizations() {
  const [chosen, choose] = useSearchParam("organization");
  const order = useOrder(["name"], "name");
  const filter = useFilter();
  const given = { query: { order: order.value, find: filter.find, total: true } };
  const organizations = usePages("GET /superuser/organizations/", given);
  const actions: Column<Organization> = {
    title: words.columns.actions,
    cell: ({ name, quota_report: report }) => (
      <>
        {report !== undefined && <QuotaButton name={name} chosen={chosen} choose={choose} />}
        <Actions name={name} />
      </>
    ),
  };
  return (
    <>
      <SearchField label={texts.namespace.filter} value={filter.value} onValue={filter.set} />
      <Paged query={organizations}>
        {(pages) => (
          <Table
            columns={[...columns, actions]}
            rows={pages.flatMap((page) => page.organizations)}
            keyOf={({ name }) => name}
            empty={filter.find ? texts.choice.noneLike(filter.find) : words.none}
            order={order}
            total={pages[0]?.total}
            file={{
              name: "organizations",
              all: () => readAllRows("GET /superuser/organizations/", given, (page) => page.organizations),
            }}
          />
        )}
      </Paged>
      <ChosenQuota namespace={chosen} />
    </>
  );
}

function Actions({ name }: { readonly name: string }) {
  const own = useChange("POST /superuser/takeownership/{namespace}", ["GET /superuser/organizations/", currentUserKey]);
  const removal = useChange("DELETE /superuser/organizations/{name}", [
    "GET /superuser/organizations/",
    currentUserKey,
  ]);
  return (
    <>
      <ConfirmedButton
        label={words.own}
        consequence={words.owned(name)}
        change={own}
        given={{ params: { namespace: name } }}
      />
      <ConfirmedButton
        label={words.remove}
        consequence={words.removed(name)}
        typed={name}
        change={removal}
        given={{ params: { name } }}
      />
    </>
  );
}

const columns: readonly Column<Organization>[] = [
  {
    title: words.columns.name,
    isName: true,
    order: "name",
    text: ({ name }) => name,
    cell: ({ name }) => <Link href={namespacePath(name)}>{name}</Link>,
  },
  { title: words.columns.email, cell: ({ email }) => email ?? "–" },
  {
    title: words.columns.used,
    text: ({ quota_report: report }) => String(report?.quota_bytes ?? ""),
    cell: ({ quota_report: report }) => (report === undefined ? "–" : <QuotaUsage report={report} />),
  },
];
