// SPDX-License-Identifier: Apache-2.0
import Tidings

/// There is a connection now, or there is none any more.
struct ConnectivityChanged: Message {
    let isOnline: Bool
}

extension MessageType<ConnectivityChanged> {
    static var connectivityChanged: MessageType { MessageType() }
}

/// Tells whether there is a connection, by type and by name.
@MainActor
final class Connectivity {
    private let center: MessageCenter

    init(center: MessageCenter) {
        self.center = center
    }

    func change(isOnline: Bool) {
        // A message that has a name is a `NamedMessage`, posted once; this one has two.
        center.post(named: isOnline ? "InternetConnect" : "InternetNotConnect")
        center.post(ConnectivityChanged(isOnline: isOnline))
    }
}
