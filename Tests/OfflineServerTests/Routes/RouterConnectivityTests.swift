// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineLibrary
@testable import OfflineServer

@Suite(.timeLimit(.minutes(5)))
struct RouterConnectivityTests {
    private struct Trouble: Error, CustomStringConvertible {
        let description = "No table."
    }

    @Test func connectivityIsToldWithWhatIsOnlyAssumed() async throws {
        try await TestServer.run { fixture in
            let state = fixture.library.connectivity.state
            var answers: [String] = []
            for change in [
                {}, { state.updateData(.offline) }, { state.updateData(.online) },
                { state.setError(Trouble()) },
            ] {
                change()
                answers.append(try await fixture.ask("GET", "/api/connectivity").text)
            }
            #expect(
                answers == [
                    #"{"state":"unknown"}"#, #"{"state":"offline"}"#, #"{"state":"online"}"#,
                    #"{"problem":"No table.","state":"online"}"#,
                ]
            )
        }
    }
}
