// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Posted when the household's server refuses this machine until the user acts, or accepts this
/// machine again.
///
/// The message is posted once for each reason, not for each attempt to connect.
package struct HouseholdAccessChanged: Message, Hashable {
    /// The reason for the missing connection and the remedy, or nil if the connection is back.
    package let problem: String?
}
