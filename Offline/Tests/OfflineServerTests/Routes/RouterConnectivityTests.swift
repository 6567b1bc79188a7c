// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineDownloads
@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(15)))
struct RouterConnectivityTests {
    private struct Trouble: Error, CustomStringConvertible {
        let description = "No table."
    }

    @Test func connectivityIsReportedWithTheReasonForAnAssumption() async throws {
        try await TestServer.run { fixture in
            let state = fixture.library.connectivity.state
            var responses: [String] = []
            for change in [
                {}, { state.updateData(.offline) }, { state.updateData(.online) },
                { state.setError(Trouble()) },
            ] {
                change()
                responses.append(try await fixture.send("GET", "/api/connectivity").text)
            }
            #expect(
                responses == [
                    #"{"state":"unknown"}"#, #"{"state":"offline"}"#, #"{"state":"online"}"#,
                    #"{"problem":"No table.","state":"online"}"#,
                ]
            )
        }
    }
}
