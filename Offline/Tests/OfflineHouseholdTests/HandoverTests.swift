// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import Testing
import Tidings
import TidingsBridgeTesting

@testable import OfflineHousehold
@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of a machine that hands over addresses.
///
/// The libraries download nothing, because the libraries are not started.
@Suite(.timeLimit(.minutes(15))) struct HandoverTests {
    private let server = InMemoryServer()
    private let here: TestMachine

    init() throws { here = try TestMachine("kitchen", server.transport()) }

    private func request(_ path: String = "film") throws -> DownloadRequest {
        DownloadRequest(try ItemOrigin(text: "https://a.example/\(path)"))
    }

    @Test(arguments: ["any", "kitchen", "attic"])
    func anAddressThatNoMachineTakesIsInvalidAndTheLimitIsNamed(_ machine: String) async throws {
        let long = try request(String(repeating: "x", count: HandedAddress.longest))
        let error = await #expect(throws: LibraryError.self) {
            try await here.household.handOver(long, to: machine)
        }
        #expect(error?.code == .invalidAddress)
        #expect(error?.message.contains("more than 8192 bytes") == true)
    }

    @Test func aMachineKeepsAnAddressForItsOwnName() async throws {
        let handover = try await here.household.handOver(try request(), to: "kitchen")
        #expect(handover == Handover(machine: "kitchen", isSent: true))
        #expect(try here.library.item(ItemID(rawValue: 1)).state == .queued)
    }

    @Test func aMachineCountsItselfAmongThoseOfAName() async throws {
        let other = try TestMachine("kitchen", server.transport())
        try await here.household.start { nil }
        try await other.household.start { nil }
        try await here.wait { !here.household.origins(named: "kitchen").isEmpty }
        let error = await #expect(throws: HandoverError.self) {
            try await here.household.handOver(try request(), to: "kitchen")
        }
        #expect(error?.message.hasPrefix("2 machines are named “kitchen”.") == true)
        await here.household.stop()
        await other.household.stop()
    }
}
