// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// The machine's connectivity became known, or changed.
///
/// Those who observe by name hear `InternetConnect` or `InternetNotConnect` right after it: a type
/// has one name, and these are two.
package struct ConnectivityChanged: Message, Hashable {
    package let connectivity: Connectivity

    package init(_ connectivity: Connectivity) {
        self.connectivity = connectivity
    }

    package static let online = ConnectivityChanged(.online)
    package static let offline = ConnectivityChanged(.offline)

    /// The name under which it is posted besides, without an object.
    package var name: String {
        switch connectivity {
        case .online: "InternetConnect"
        case .offline: "InternetNotConnect"
        }
    }
}

/// The system cannot tell the connectivity: online is assumed until it can.
package struct ConnectivityAssumed: Message {
    /// What is in the way, for a person.
    package let reason: String
}

extension ConnectivityChanged: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { connectivity.rawValue }
}

extension ConnectivityAssumed: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { reason }
}
