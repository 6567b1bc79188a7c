// SPDX-License-Identifier: Apache-2.0
// expect: 'LoggedIn' has no member 'nmae'
import Tidings

struct LoggedIn: Message { let name: String }

func upload(_ text: String) async throws {}

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(of: LoggedIn.self).buffering(.newest(10)).observe { message in
        try await upload(message.nmae)
        print("uploaded")
    }
}
