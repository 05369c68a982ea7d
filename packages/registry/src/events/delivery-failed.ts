/** The error of an attempt that did not reach its receiver, or was refused by it. Admins of the repository see its message. */
export class DeliveryFailed extends Error {
  override readonly name = "DeliveryFailed";
}
