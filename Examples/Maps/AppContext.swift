// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Who uses the app, and on which map; it says so and does not know who wants to hear it.
@MainActor
final class AppContext {
    private let center: MessageCenter
    private var user: User?

    init(center: MessageCenter) {
        self.center = center
    }

    func logIn(_ user: User) {
        self.user = user
        center.postLogin(user)
    }

    func logOut() {
        guard let user else { return }
        self.user = nil
        center.postLogout(user)
    }

    func choose(_ basemap: Basemap) {
        center.postNewBasemap(basemap)
    }

    func open(_ webMap: WebMap) {
        center.postNewWebMap(webMap)
    }
}
