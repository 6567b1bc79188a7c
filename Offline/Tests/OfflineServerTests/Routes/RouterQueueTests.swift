// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct RouterQueueTests {
    @Test func theQueueIsReportedAndItsChangesAreEvents() async throws {
        try await TestServer.run { fixture in
            let empty = #"{"isDiskFull":false,"running":[],"waitingForNetwork":[]}"#
            #expect(try await fixture.send("GET", "/api/queue").text == empty)
            let full = #"{"isDiskFull":true,"running":[2,3],"waitingForNetwork":[1]}"#
            let ids = (1...3).map { ItemID(rawValue: $0) }
            let state = fixture.library.queueState
            let received = try await fixture.follow { text in
                if text.contains("event: queue\ndata: \(empty)"), state.lastData == nil {
                    state.updateData(
                        QueueState(
                            running: [ids[1], ids[2]],
                            waitingForNetwork: [ids[0]],
                            isDiskFull: true
                        )
                    )
                }
                return text.contains("event: queue\ndata: \(full)")
            }
            #expect(!received.isEmpty)
            #expect(try await fixture.send("GET", "/api/queue").text == full)
        }
    }
}
