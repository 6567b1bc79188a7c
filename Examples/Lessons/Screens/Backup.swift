// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Records the downloads for the next device, without a reference to the repository.
@MainActor
final class Backup {
    private let pane = Pane("backup")

    init(center: MessageCenter) {
        center.messages(.downloadsListRefreshed).observe(owner: self, on: .main) {
            backup,
            message in
            backup.pane.update(["\(message.count) parts noted"])
        }
    }
}
