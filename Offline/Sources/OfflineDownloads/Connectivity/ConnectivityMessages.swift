// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// Posted when the machine's connectivity becomes known or changes.
package struct ConnectivityChanged: Message, Hashable {
    /// The new connectivity.
    package let connectivity: Connectivity

    /// Creates the message for a connectivity.
    package init(_ connectivity: Connectivity) {
        self.connectivity = connectivity
    }

    /// The message for a machine that went online.
    package static let online = ConnectivityChanged(.online)
    /// The message for a machine that went offline.
    package static let offline = ConnectivityChanged(.offline)
}

/// Posted when the system cannot determine the connectivity.
///
/// The library then assumes online until the system can determine the connectivity again.
package struct ConnectivityAssumed: Message {
    /// The reason why the connectivity is unknown, as text for the user.
    package let reason: String
}

extension ConnectivityChanged: CustomStringConvertible {
    /// Breadcrumbs show the description, which holds nothing private.
    package static var tracing: MessageTracing { .described }
    /// `online` or `offline`.
    package var description: String { connectivity.rawValue }
}

extension ConnectivityAssumed: CustomStringConvertible {
    /// Breadcrumbs show the description, which holds nothing private.
    package static var tracing: MessageTracing { .described }
    /// The reason.
    package var description: String { reason }
}
