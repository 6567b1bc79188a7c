// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The same for those who have nothing to do with downloads.
struct DownloadsListRefreshed: Message {
    let count: Int
}

extension MessageType<DownloadsListRefreshed> {
    static var downloadsListRefreshed: MessageType { MessageType() }
}
