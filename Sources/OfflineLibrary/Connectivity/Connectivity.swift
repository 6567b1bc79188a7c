// SPDX-License-Identifier: Apache-2.0

/// Whether the machine has a way to the internet, as far as its own tables tell.
///
/// Online means that there is a default route over an interface that is up and running. Whether
/// anybody answers at its end is only known to those who ask.
package enum Connectivity: String, Hashable, Sendable, Codable {
    case online
    case offline
}
