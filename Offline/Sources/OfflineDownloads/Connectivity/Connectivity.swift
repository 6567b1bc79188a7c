// SPDX-License-Identifier: Apache-2.0

/// Whether the machine's network tables contain a route to the internet.
///
/// Online means that a default route exists over an interface that is up and running. Only a
/// request shows whether a server is reachable.
package enum Connectivity: String, Hashable, Sendable, Codable, CaseIterable {
    /// A default route over a running interface exists.
    case online
    /// No such route exists.
    case offline
}
