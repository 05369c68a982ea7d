import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";

/** A robot in a list. */
export type Robot = ResultOf<"GET /user/robots">["robots"][number];

/** A robot's name with its token, which is shown once. */
export interface RobotSecret {
  readonly name: string;
  readonly token?: string;
}

/** The owner of robots: the visitor or an organization. */
export interface RobotOwner {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

const query = { token: false, permissions: false };

/** Queries the robots of an owner. */
export function useRobots({ namespace, isOrganization }: RobotOwner) {
  const own = useOperation("GET /user/robots", { query }, { enabled: !isOrganization });
  const ofOrganization = useOperation(
    "GET /organization/{orgname}/robots",
    { params: { orgname: namespace }, query },
    { enabled: isOrganization },
  );
  return isOrganization ? ofOrganization : own;
}

/** Changes of robots. A robot is named without the prefix of its owner. */
export function useRobotChanges({ namespace: orgname, isOrganization }: RobotOwner) {
  const lists = ["GET /user/robots", "GET /organization/{orgname}/robots"] as const;
  const created = useChange(
    isOrganization ? "PUT /organization/{orgname}/robots/{robot_shortname}" : "PUT /user/robots/{robot_shortname}",
    lists,
  );
  const renewed = useChange(
    isOrganization
      ? "POST /organization/{orgname}/robots/{robot_shortname}/regenerate"
      : "POST /user/robots/{robot_shortname}/regenerate",
    lists,
  );
  const deleted = useChange(
    isOrganization
      ? "DELETE /organization/{orgname}/robots/{robot_shortname}"
      : "DELETE /user/robots/{robot_shortname}",
    lists,
  );
  const paramsOf = (name: string) => ({ orgname, robot_shortname: name }); // the operations of a user ignore `orgname`
  return { created, renewed, deleted, paramsOf };
}
