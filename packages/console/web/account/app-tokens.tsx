import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { NewAppToken } from "./new-app-token.tsx";

type AppToken = ResultOf<"GET /user/apptoken">["tokens"][number];

const words = texts.appTokens;

/** The visitor's app tokens: passwords for programs, each revoked separately. */
export function AppTokens() {
  const tokens = useOperation("GET /user/apptoken", { query: {} });
  return (
    <section aria-labelledby="app-tokens">
      <h2 id="app-tokens">{words.title}</h2>
      <p>{words.about}</p>
      <NewAppToken />
      <Answered query={tokens}>
        {({ tokens: list }) => <Table columns={columns} rows={list} keyOf={({ uuid }) => uuid} empty={words.none} />}
      </Answered>
    </section>
  );
}

function Revoke({ token }: { readonly token: AppToken }) {
  const change = useChange("DELETE /user/apptoken/{token_uuid}", ["GET /user/apptoken"]);
  const params = { token_uuid: token.uuid };
  return (
    <ConfirmedButton label={words.revoke} consequence={words.revoked(token.title)} change={change} given={{ params }} />
  );
}

const columns: readonly Column<AppToken>[] = [
  { title: words.columns.title, isName: true, cell: ({ title }) => title },
  { title: words.columns.created, cell: ({ created }) => <Time at={Date.parse(created)} /> },
  {
    title: words.columns.used,
    cell: ({ last_accessed: used }) => (used === null ? words.never : <Time at={Date.parse(used)} />),
  },
  {
    title: words.columns.expires,
    cell: ({ expiration }) => (expiration === null ? words.never : <Time at={Date.parse(expiration)} />),
  },
  { title: words.columns.actions, cell: (token) => <Revoke token={token} /> },
];
