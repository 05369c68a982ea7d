/** The owner of notifications: a repository, or a namespace itself. */
export interface NotificationOwner {
  readonly namespace: string;
  readonly isOrganization: boolean;
  /** Without its namespace; absent for a namespace. */
  readonly repository?: string;
}

/** The operations on an owner's notifications, and their parameters. Each operation uses the parameter that its path contains. */
export function notificationCalls({ namespace, isOrganization, repository }: NotificationOwner) {
  const params = { repository: `${namespace}/${repository ?? ""}`, orgname: namespace };
  if (repository !== undefined) return { ...ofRepository, params, isOfRepository: true };
  return { ...(isOrganization ? ofOrganization : ofUser), params, isOfRepository: false };
}

const ofRepository = {
  list: "GET /repository/{repository}/notification/",
  create: "POST /repository/{repository}/notification/",
  remove: "DELETE /repository/{repository}/notification/{uuid}",
  reset: "POST /repository/{repository}/notification/{uuid}",
  test: "POST /repository/{repository}/notification/{uuid}/test",
  deliveries: "GET /repository/{repository}/notification/{uuid}/deliveries",
} as const;

const ofOrganization = {
  list: "GET /organization/{orgname}/notifications",
  create: "POST /organization/{orgname}/notifications",
  remove: "DELETE /organization/{orgname}/notifications/{uuid}",
  reset: "POST /organization/{orgname}/notifications/{uuid}",
  test: "POST /organization/{orgname}/notifications/{uuid}/test",
  deliveries: "GET /organization/{orgname}/notifications/{uuid}/deliveries",
} as const;

const ofUser = {
  list: "GET /user/namespacenotifications",
  create: "POST /user/namespacenotifications",
  remove: "DELETE /user/namespacenotifications/{uuid}",
  reset: "POST /user/namespacenotifications/{uuid}",
  test: "POST /user/namespacenotifications/{uuid}/test",
  deliveries: "GET /user/namespacenotifications/{uuid}/deliveries",
} as const;
