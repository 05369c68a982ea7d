import { onSelf } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { checkNotRestricted } from "@plimsoll/registry/access/principal";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import { checkFederations, type Federation, mostFederations } from "@plimsoll/registry/identity/robots/federation";
import { listFederations, replaceFederations } from "@plimsoll/registry/identity/robots/queries";
import { getRobot } from "@plimsoll/registry/identity/robots/robots";
import { Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";
import { robotParams } from "./handlers.ts";

const Federations = Type.Array(
  Type.Object({
    issuer: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "The address of the issuer, exactly as its tokens name it",
    }),
    subject: Type.String({ minLength: 1, maxLength: 1024, description: "The claim `sub` of the tokens" }),
  }),
  { maxItems: mostFederations },
);

const shared = { tag: "robot", internal: true, about: robotParams } as const;
const ofUser = { ...shared, access: onSelf("user:admin"), path: "/user/robots/{robot_shortname}/federation" } as const;
const ofOrganization = {
  ...shared,
  access: onOrganization("admin"),
  path: "/organization/{orgname}/robots/{robot_shortname}/federation",
} as const;
const shows = {
  method: "GET",
  summary: "Whose tokens the robot signs in with.",
  success: 200,
  result: Federations,
} as const;
const replaces = {
  method: "POST",
  summary: "Replace whose tokens the robot signs in with.",
  audit: ["create_robot_federation"],
  body: Federations,
  success: 200,
  result: Federations,
} as const;
const removes = {
  method: "DELETE",
  summary: "End that the robot signs in with tokens of others.",
  audit: ["delete_robot_federation"],
  success: 204,
} as const;

type Params = { readonly robot_shortname: string };

async function show({ db }: OperationContext, owner: AccountRow, { robot_shortname }: Params) {
  return listFederations(db, (await getRobot(db, owner, robot_shortname)).id);
}

async function replace(
  { db, log, now }: OperationContext<"create_robot_federation">,
  owner: AccountRow,
  { robot_shortname: robot, config }: Params & { readonly config: readonly Federation[] },
) {
  checkNotRestricted(owner);
  checkFederations(config);
  const { id } = await getRobot(db, owner, robot);
  await replaceFederations(db, id, { federations: config, now });
  await log("create_robot_federation", { config, robot });
  return [...config];
}

async function remove(
  { db, log, now }: OperationContext<"delete_robot_federation">,
  owner: AccountRow,
  { robot_shortname: robot }: Params,
): Promise<void> {
  checkNotRestricted(owner);
  const { id } = await getRobot(db, owner, robot);
  await replaceFederations(db, id, { federations: [], now });
  await log("delete_robot_federation", { robot });
}

const getUserRobotFederation = operation({
  ...ofUser,
  ...shows,
  id: "getUserRobotFederation",
  versionMembers: ["issuer", "subject"],
  handle: async ({ subject, params }, context) => [...(await show(context, subject.account, params))],
});

const getOrgRobotFederation = operation({
  ...ofOrganization,
  ...shows,
  id: "getOrgRobotFederation",
  versionMembers: ["issuer", "subject"],
  handle: async ({ subject, params }, context) => [...(await show(context, subject.organization, params))],
});

/** Operations on the tokens of CI systems with which robots sign in. */
export const robotFederationOperations = [
  getUserRobotFederation,
  operation({
    ...ofUser,
    ...replaces,
    id: "createUserRobotFederation",
    version: getUserRobotFederation,
    handle: ({ subject, params, body }, context) => replace(context, subject.account, { ...params, config: body }),
  }),
  operation({
    ...ofUser,
    ...removes,
    id: "deleteUserRobotFederation",
    version: getUserRobotFederation,
    handle: ({ subject, params }, context) => remove(context, subject.account, params),
  }),
  getOrgRobotFederation,
  operation({
    ...ofOrganization,
    ...replaces,
    id: "createOrgRobotFederation",
    version: getOrgRobotFederation,
    handle: ({ subject, params, body }, context) => replace(context, subject.organization, { ...params, config: body }),
  }),
  operation({
    ...ofOrganization,
    ...removes,
    id: "deleteOrgRobotFederation",
    version: getOrgRobotFederation,
    handle: ({ subject, params }, context) => remove(context, subject.organization, params),
  }),
];
