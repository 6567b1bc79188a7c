// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The list of downloads has changed, for parts of the app that do not know the repository.
struct DownloadsListRefreshed: Message {
    let count: Int
}

extension MessageType<DownloadsListRefreshed> {
    static var downloadsListRefreshed: MessageType { MessageType() }
}
