// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel
import OfflineTestFixtures
import TidingsBridge
import TidingsTesting

@testable import OfflineHousehold

/// A machine of a household in a temporary folder, whose library is not started.
struct TestMachine {
    let library: Library
    let household: Household
    private let folder: TemporaryFolder
    private let changes: MessageRecorder<MachinesChanged>

    init(
        _ name: String,
        _ transport: some BridgeTransport,
        clock: some Clock<Duration> = ContinuousClock()
    ) throws {
        folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path + "/library")
        library = try Library(LibraryConfiguration(directory: directory))
        changes = MessageRecorder(MachinesChanged.self, on: library.messages)
        household = Household(
            library: library,
            name: name,
            space: "home",
            transport: transport,
            clock: clock
        )
    }

    /// Waits until a condition on all machines is true.
    func wait(until isSo: () -> Bool) async throws {
        while !isSo() { _ = try await changes.next() }
    }
}
