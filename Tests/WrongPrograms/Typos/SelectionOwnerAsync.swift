// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

final class Uploader: Sendable {
    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).observe(owner: self) { uploader, message in
            try await uploader.upload(message.nmae)
        }
    }

    func upload(_ text: String) async throws {}
}
