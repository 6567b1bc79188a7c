// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Says when there is no connection; it comes from another program, and knows names and no types.
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
