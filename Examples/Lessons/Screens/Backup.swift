// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Notes what was downloaded, for the next device; it knows no repository, nor does one know it.
@MainActor
final class Backup {
    private let pane = Pane("backup")

    init(center: MessageCenter) {
        center.observe(.downloadsListRefreshed, owner: self, on: .main) { backup, message in
            backup.pane.update(["\(message.count) parts noted"])
        }
    }
}
