// SPDX-License-Identifier: Apache-2.0

/// Whether the machine's network tables contain a route to the internet.
///
/// Online means that a default route exists over an interface that is up and running. It does not
/// mean that a server is reachable: only a request shows that.
package enum Connectivity: String, Hashable, Sendable, Codable {
    /// A default route over a running interface exists.
    case online
    /// No such route exists.
    case offline
}
