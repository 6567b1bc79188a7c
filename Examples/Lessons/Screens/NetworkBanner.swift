// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Shows changes of the connection; it was reused from another program and observes names.
@MainActor
final class NetworkBanner {
    private let pane = Pane("network")

    init(center: MessageCenter) {
        for name in ["InternetConnect", "InternetNotConnect"] {
            center.observe(named: name, owner: self, on: .main) { banner, name, _ in
                banner.pane.show(name)
            }
        }
    }
}
