// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Shows changes of the connection with code from another program, which observes names.
@MainActor
final class NetworkBanner {
    private let pane = Pane("network")

    init(center: MessageCenter) {
        for name in ["InternetConnect", "InternetNotConnect"] {
            center.messages(named: name).observe(owner: self, on: .main) { banner, message in
                banner.pane.show(message.name)
            }
        }
    }
}
