// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Shows the logged-in user and the open map.
@MainActor
final class StatusBar {
    private let pane = Pane("status")
    private var user: User?

    init(center: MessageCenter) {
        center.observeContext(
            owner: self,
            login: { bar, user in bar.show(user, nil) },
            logout: { bar, _ in bar.show(nil, nil) },
            newWebMap: { bar, webMap in bar.show(bar.user, webMap) }
        )
        show(nil, nil)
    }

    private func show(_ user: User?, _ webMap: WebMap?) {
        self.user = user
        let who = user?.name ?? "nobody is logged in"
        pane.show(webMap.map { "\(who), \($0.title)" } ?? who)
    }
}
