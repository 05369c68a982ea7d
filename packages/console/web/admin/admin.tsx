import { useCurrentUser } from "../api/current-user.ts";
import { UsageLog } from "../logs/usage-log.tsx";
import { Answered } from "../shared/answered.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { UnknownPage } from "../shell/unknown-page.tsx";
import { texts } from "../texts/texts.ts";
import { Feeds } from "./feeds.tsx";
import { Garbage } from "./garbage.tsx";
import { Jobs } from "./jobs.tsx";
import { Messages } from "./messages.tsx";
import { AllOrganizations } from "./organizations.tsx";
import { ServiceKeys } from "./service-keys.tsx";
import { Settings } from "./settings.tsx";
import { Storage } from "./storage.tsx";
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
