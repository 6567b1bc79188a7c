// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel
import Testing
import Tidings
import TidingsBridge
import TidingsBridgeTesting

@testable import OfflineHousehold

/// Tests of the error for a handover to a name without a report from a machine.
@Suite(.timeLimit(.minutes(15))) struct UnreachableServerTests {
    private let server = InMemoryServer()
    private let here: TestMachine

    init() throws { here = try TestMachine("kitchen", server.transport()) }

    private func refusal() async throws -> String? {
        let request = DownloadRequest(try ItemOrigin(text: "https://a.example/film"))
        let error = await #expect(throws: HandoverError.self) {
            try await here.household.handOver(request, to: "attic")
        }
        return error?.message
    }

    @Test func theServerIsBlamedOnlyWhileItCannotBeReached() async throws {
        let household = here.household
        server.isDown = true
        try await household.start { nil }
        let unreachable =
            "No machine named “attic” has reported lately: the household's server cannot be "
            + "reached. Try again later, or use --on any."
        #expect(try await refusal() == unreachable)

        server.isDown = false
        for await state in household.bridge.status.states.values
        where state.value?.isConnected == true { break }
        let unknown =
            "No machine named “attic” is here now. Here are: “kitchen”. Or use --on any."
        #expect(try await refusal() == unknown)

        server.isDown = true
        for await state in household.bridge.status.states.values
        where state.value?.isConnected == false { break }
        #expect(try await refusal() == unreachable)
        await household.stop()
    }
}
