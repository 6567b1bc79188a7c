// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The current user and map, with posts of all changes to unknown observers.
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
