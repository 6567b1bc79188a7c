// SPDX-License-Identifier: Apache-2.0
#if !NATS
/// The transport over NATS, which needs the trait `NATS` of the package.
@available(*, unavailable, message: "Enable the trait NATS of the package “tidings”.")
public enum NATSTransport: Sendable {}
#endif
