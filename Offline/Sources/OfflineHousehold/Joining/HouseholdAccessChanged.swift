// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The household's server refuses this machine until a person acts, or accepts it again.
///
/// It is posted once for each reason, not for each attempt to connect.
package struct HouseholdAccessChanged: Message, Hashable {
    /// Why there is no connection, and the remedy; nil if there is one again.
    package let problem: String?
}
