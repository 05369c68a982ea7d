import { useCurrentUser } from "../api/current-user.ts";
import { Organizations } from "../organizations/organizations.tsx";
import { Answered } from "../shared/answered.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";
import { AccountSettings } from "./account-settings.tsx";
import { AppTokens } from "./app-tokens.tsx";
import { AssignedAuthorizations, Authorizations } from "./authorizations.tsx";
import { Notices } from "./notices.tsx";
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
