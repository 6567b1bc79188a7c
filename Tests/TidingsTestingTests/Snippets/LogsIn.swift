// SPDX-License-Identifier: Apache-2.0
// The test on the landing page of TidingsTesting.
import Testing
import Tidings
import TidingsTesting

private struct LoggedIn: Message {
    let name: String
}

private struct Session {
    let center: MessageCenter

    init(_ center: MessageCenter) {
        self.center = center
    }

    func logIn(_ name: String) {
        center.post(LoggedIn(name: name))
    }
}

@Suite(.timeLimit(.minutes(5)))
struct LogsIn {
    @Test func logsIn() async throws {
        let center = MessageCenter()
        let recorder = MessageRecorder(LoggedIn.self, on: center)
        Session(center).logIn("Ada")
        #expect(try await recorder.next().name == "Ada")
    }
}
