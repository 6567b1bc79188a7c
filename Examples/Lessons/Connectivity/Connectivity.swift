// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The network connection was established or lost.
struct ConnectivityChanged: Message {
    let isOnline: Bool
}

extension MessageType<ConnectivityChanged> {
    static var connectivityChanged: MessageType { MessageType() }
}

/// Posts changes of the connection, by type and by name.
@MainActor
final class Connectivity {
    private let center: MessageCenter

    init(center: MessageCenter) {
        self.center = center
    }

    func change(isOnline: Bool) {
        // A `NamedMessage` would need only one post, but this message has two names.
        center.post(named: isOnline ? "InternetConnect" : "InternetNotConnect")
        center.post(ConnectivityChanged(isOnline: isOnline))
    }
}
